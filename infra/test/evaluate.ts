import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

/** A value of a resource, looked into by the tests. */
// biome-ignore lint/suspicious/noExplicitAny: inputs are of any type that AWS takes, and a wrong guess fails its test.
type Inputs = Record<string, any>

/** A resource that a deployment would make. */
export interface Registered {
  type: string
  name: string
  inputs: Inputs
  options: {
    protect?: boolean
    retainOnDelete?: boolean
    ignoreChanges?: string[]
    provider?: string
    /** Names of what it waits for beside what its inputs come from. */
    after?: string[]
  }
}

/** What a deployment would do. */
export interface Evaluated {
  app: Record<string, unknown>
  /** The arguments that cargo was called with. */
  cargo: string[]
  /** The version that npm was told, and the arguments that it was called with. */
  npm: string[]
  /** The API's binaries. */
  binaries: string[]
  /** What the deployment prints at its end. */
  outputs: Record<string, unknown>
  /** The folder that each function's code is taken from. */
  packaged: Record<string, string>
  resources: Registered[]
}

/** A statement of a policy. */
export interface Statement {
  Effect: string
  Action: string | string[]
  Resource: string | string[]
  Condition?: Record<string, Record<string, string[]>>
}

/** One stage as it would be deployed. */
export class Deployment {
  readonly evaluated: Evaluated

  constructor(evaluated: Evaluated) {
    this.evaluated = evaluated
  }

  /** All resources of a type, such as `aws:sns/topic:Topic`. */
  all(type: string): Registered[] {
    return this.evaluated.resources.filter((resource) => resource.type === type)
  }

  /** The resource of a type and name. */
  one(type: string, name: string): Registered {
    const found = this.all(type).filter((resource) => resource.name === name)
    if (found.length !== 1 || found[0] === undefined) {
      const names = this.all(type).map((resource) => resource.name)
      throw new Error(`${found.length} resources ${type} ${name}; there are ${names.join(', ')}`)
    }
    return found[0]
  }

  /** The functions, by binary. */
  functions(): Map<string, Registered> {
    return new Map(
      this.all('aws:lambda/function:Function').map((fn) => {
        const folder = this.evaluated.packaged[fn.name.replace(/Function$/, '')]
        return [folder === undefined ? fn.name : path.basename(folder), fn]
      }),
    )
  }

  /** What a function's role allows. */
  statements(fn: Registered): Statement[] {
    const role = this.all('aws:iam/role:Role').find(({ name }) => fn.inputs['role'].endsWith(`:role/${name}`))
    if (role === undefined) throw new Error(`${fn.name} has no role of this deployment.`)
    return role.inputs['inlinePolicies'].flatMap(({ policy }: { policy: string }) => JSON.parse(policy).Statement)
  }

  /** The API's route keys, with the function that each one invokes. */
  routes(): Record<string, string> {
    const binaries = new Map([...this.functions()].map(([binary, fn]) => [fn.name, binary]))
    return Object.fromEntries(
      this.all('aws:apigatewayv2/route:Route').map(({ inputs }) => {
        const id = inputs['target'].replace(/^integrations\/(.*)-id$/, '$1')
        const uri: string = this.one('aws:apigatewayv2/integration:Integration', id).inputs['integrationUri']
        return [inputs['routeKey'], binaries.get(uri.replace(/^.*:function:(.*):live$/, '$1')) ?? uri]
      }),
    )
  }
}

/** Evaluates a stage, in a process of its own, with settings in its environment. */
export async function evaluate(stage: string, settings: Record<string, string>): Promise<Evaluated> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('ZAEHLWERK_'))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(import.meta.dirname, 'program.ts'), stage],
    {
      maxBuffer: 64 * 1024 * 1024,
      env: { ...Object.fromEntries(inherited), ...settings },
    },
  )
  return JSON.parse(stdout)
}
