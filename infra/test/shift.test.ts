import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  PutMetricAlarmCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch'
import {
  CreateAliasCommand,
  CreateFunctionCommand,
  GetAliasCommand,
  LambdaClient,
  ListVersionsByFunctionCommand,
  PublishVersionCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda'
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { beforeEach, describe, expect, it } from 'vitest'
import { pack, unpack } from '../release/bundle.ts'
import { add, before, fetch, goneBack, KEPT, read } from '../release/history.ts'
import { LIVE, moveAtOnce, moveBySteps, type Numbers, type Step, type Watch } from '../release/shift.ts'
import { ministack } from './ministack.ts'

const client = ministack()
const ALARM = 'zaehlwerk-production-NewVersion'
// A zip without files.
const CODE = new Uint8Array([0x50, 0x4b, 5, 6, ...Array.from({ length: 18 }, () => 0)])

let lambda: LambdaClient
let cloudwatch: CloudWatchClient
let s3: S3Client
let functions: string[]
let bucket: string
let tests = 0

const publish = async (name: string, version: string, settings: Record<string, string> = {}): Promise<string> => {
  const Environment = { Variables: { VERSION: version, TABLE_NAME: 'table', ...settings } }
  await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName: name, Environment }))
  return (await lambda.send(new PublishVersionCommand({ FunctionName: name }))).Version ?? ''
}
/** Publishes a version of all functions, as a deployment does. */
const publishAll = async (version: string, settings: Record<string, string> = {}): Promise<Numbers> =>
  Object.fromEntries(await Promise.all(functions.map(async (name) => [name, await publish(name, version, settings)])))
const tell = (StateValue: 'OK' | 'ALARM') =>
  cloudwatch.send(new SetAlarmStateCommand({ AlarmName: ALARM, StateValue, StateReason: 'test' }))
const live = async (name: string) => {
  const alias = await lambda.send(new GetAliasCommand({ FunctionName: name, Name: LIVE }))
  return [alias.FunctionVersion, alias.RoutingConfig?.AdditionalVersionWeights ?? {}]
}
const lives = () => Promise.all(functions.map(live))

beforeEach(async () => {
  tests += 1
  lambda = new LambdaClient(client)
  cloudwatch = new CloudWatchClient(client)
  s3 = new S3Client(client)
  functions = ['JobList', 'AuthToken'].map((name) => `${name}${tests}`)
  bucket = `releases-${tests}`
  await s3.send(new CreateBucketCommand({ Bucket: bucket }))
  for (const FunctionName of functions) {
    const Role = 'arn:aws:iam::000000000000:role/test'
    const code = { Runtime: 'provided.al2023', Handler: 'bootstrap', Role, Code: { ZipFile: CODE } } as const
    await lambda.send(new CreateFunctionCommand({ FunctionName, ...code }))
    const FunctionVersion = await publish(FunctionName, 'first')
    await lambda.send(new CreateAliasCommand({ FunctionName, Name: LIVE, FunctionVersion }))
  }
  await cloudwatch.send(
    new PutMetricAlarmCommand({
      AlarmName: ALARM,
      Namespace: 'zaehlwerk-production',
      MetricName: 'FaultsOfNewVersion',
      Statistic: 'Sum',
      Period: 60,
      EvaluationPeriods: 1,
      Threshold: 3,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    }),
  )
  await tell('OK')
})

const watch = (more: Partial<Watch> = {}): Watch => ({
  cloudwatch,
  alarm: ALARM,
  every: 0.02,
  patience: 0,
  signal: new AbortController().signal,
  ...more,
})
/** Steps that are over at once, and those that last until something happens. */
const QUICK: Step[] = [
  { share: 0.1, seconds: 0 },
  { share: 1, seconds: 0 },
]
const steps = (first: number, second: number): Step[] => [
  { share: 0.1, seconds: first },
  { share: 1, seconds: second },
]
/** Moves to a new version, and does something as soon as so many calls go to it. */
async function movesUntil(share: 0.1 | 1, slow: Step[], does: () => unknown, more: Partial<Watch> = {}) {
  const numbers = await publishAll('second')
  const moving = moveBySteps(lambda, numbers, slow, watch(more), () => {})
  const moved = moving.catch((error: Error) => error)
  const wanted = share === 1 ? ['2', {}] : ['1', { 2: 0.1 }]
  await expect.poll(lives).toEqual(functions.map(() => wanted))
  await does()
  return await moved
}

describe('the functions', () => {
  it('answer a tenth of the calls by the new version first, and then all', async () => {
    const said: string[] = []
    expect(await moveBySteps(lambda, await publishAll('second'), QUICK, watch(), (line) => said.push(line))).toBe(2)
    expect(await lives()).toEqual(functions.map(() => ['2', {}]))
    expect(said).toEqual([
      '2 functions: 10 % of the calls go to the new version, watched for 0 s.',
      '2 functions: 100 % of the calls go to the new version, watched for 0 s.',
    ])
  })

  it.each([
    [0.1, steps(60, 0)],
    [1, steps(0, 60)],
  ] as const)(
    'answer as before once the alarm goes off while %d of the calls go to the new version',
    async (share, slow) => {
      expect(await movesUntil(share, slow, () => tell('ALARM'))).toMatchObject({
        message: expect.stringContaining(`taken back, and the one before answers everything: ${ALARM} went off`),
      })
      expect(await lives()).toEqual(functions.map(() => ['1', {}]))
    },
  )

  it('answer as before when the deployment is stopped', async () => {
    const stop = new AbortController()
    const stopped = await movesUntil(0.1, steps(60, 0), () => stop.abort(), { signal: stop.signal })
    expect(stopped).toMatchObject({ message: expect.stringContaining('it was stopped') })
    expect(await lives()).toEqual(functions.map(() => ['1', {}]))
  })

  it('answer as before when nobody can say any more how the new version does', async () => {
    const deleted = () => cloudwatch.send(new DeleteAlarmsCommand({ AlarmNames: [ALARM] }))
    expect(await movesUntil(0.1, steps(60, 0), deleted)).toMatchObject({
      message: expect.stringContaining('There is no alarm'),
    })
    expect(await lives()).toEqual(functions.map(() => ['1', {}]))
  })

  it('answer as before when one of them cannot be moved', async () => {
    const numbers = await publishAll('second')
    const refusing = new LambdaClient(client)
    refusing.middlewareStack.add(
      (next) => (call) => {
        const { FunctionVersion, FunctionName } = call.input as { FunctionVersion?: string; FunctionName?: string }
        if (FunctionVersion === '2' && FunctionName === functions[1]) throw new Error('no such version')
        return next(call)
      },
      { step: 'initialize' },
    )
    await expect(moveBySteps(refusing, numbers, QUICK, watch(), () => {})).rejects.toThrow('taken back')
    expect(await lives()).toEqual(functions.map(() => ['1', {}]))
  })

  it('are left alone while an alarm lasts, and moved when it has ended', async () => {
    await tell('ALARM')
    const numbers = await publishAll('second')
    await expect(moveBySteps(lambda, numbers, QUICK, watch(), () => {})).rejects.toThrow('nothing was moved')
    expect(await lives()).toEqual(functions.map(() => ['1', {}]))
    const waiting = moveBySteps(lambda, numbers, QUICK, watch({ patience: 60 }), () => {})
    await tell('OK')
    expect(await waiting).toBe(2)
  })

  it('are moved at once without a look at the alarm, also from half-way, and those that are gone are passed by', async () => {
    await tell('ALARM')
    const numbers = await publishAll('second')
    expect(await moveAtOnce(lambda, { ...numbers, Gone: '1' })).toBe(2)
    expect(await lives()).toEqual(functions.map(() => ['2', {}]))
    expect(await moveAtOnce(lambda, numbers)).toBe(0)
    await tell('OK')
    // What a deployment that was killed leaves behind.
    const killed = { ...(await publishAll('third')), [functions[1] ?? '']: '99' }
    const half = moveBySteps(lambda, killed, steps(60, 0), watch(), () => {})
    half.catch(() => {})
    await expect.poll(lives).toEqual([
      ['2', { 3: 0.1 }],
      ['2', { 99: 0.1 }],
    ])
    expect(await moveAtOnce(lambda, numbers)).toBe(2)
    expect(await lives()).toEqual(functions.map(() => ['2', {}]))
  })
})

describe('the versions of a stage', () => {
  const bundle = (text: string) => () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'zaehlwerk-bundle-')), 'bundle')
    fs.writeFileSync(file, text)
    return file
  }
  const keep = async (version: string) => {
    const numbers = await publishAll(version)
    await moveAtOnce(lambda, numbers)
    await add(s3, lambda, bucket, { version, numbers }, bundle(version))
  }
  const versions = async () => (await read(s3, bucket)).map(({ version }) => version)
  const content = async (version: string) => {
    const file = bundle('')()
    return (await fetch(s3, bucket, version, file)) ? fs.readFileSync(file, 'utf8') : undefined
  }

  it('can be gone back to, one after another, until there is none', async () => {
    await expect(before(s3, lambda, bucket)).rejects.toThrow('no version before')
    for (const version of ['a', 'b', 'c']) await keep(version)
    for (const version of ['b', 'a']) {
      const entry = await before(s3, lambda, bucket)
      expect(entry.version).toBe(version)
      await moveAtOnce(lambda, entry.numbers)
      expect(await lives()).toEqual(functions.map((name) => [entry.numbers[name], {}]))
      expect(await content(version)).toBe(version)
      await goneBack(s3, bucket, entry)
    }
    await expect(before(s3, lambda, bucket)).rejects.toThrow('no version before a')
  })

  it('are known once, by the numbers that they were published under last, with the bundle of the first time', async () => {
    await keep('a')
    await keep('b')
    await add(s3, lambda, bucket, { version: 'a', numbers: await publishAll('a') }, bundle('another'))
    expect(await versions()).toEqual(['b', 'a'])
    expect((await read(s3, bucket)).at(-1)?.numbers).toEqual(Object.fromEntries(functions.map((name) => [name, '4'])))
    expect(await content('a')).toBe('a')
  })

  it('are forgotten when they are too old, in the bucket and at Lambda', async () => {
    const all = ['a', 'b', 'c', 'd', 'e', 'f']
    expect(all.length).toBe(KEPT + 1)
    for (const version of all) await keep(version)
    expect(await versions()).toEqual(all.slice(1))
    const objects = await s3.send(new ListObjectsV2Command({ Bucket: bucket }))
    expect(objects.Contents?.map(({ Key }) => Key).sort()).toEqual(
      [...all.slice(1).map((version) => `${version}.tar.gz`), 'history.json'].sort(),
    )
    expect(await content('a')).toBeUndefined()
    for (const FunctionName of functions) {
      const found = await lambda.send(new ListVersionsByFunctionCommand({ FunctionName }))
      // The first one was published before there was a history, and `a` after it.
      expect(found.Versions?.map(({ Version }) => Version)).toEqual(['$LATEST', '3', '4', '5', '6', '7'])
    }
  })
})

it('a bundle brings what was built into another checkout, with its modes, and leaves nothing of what was there', () => {
  const [from, to] = ['from', 'to'].map((name) => fs.mkdtempSync(path.join(os.tmpdir(), `zaehlwerk-${name}-`))) as [
    string,
    string,
  ]
  const write = (root: string, file: string, mode = 0o644) => {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), file, { mode })
  }
  const built = ['target/lambda/job_list/bootstrap', 'target/functions.made', 'target/sites.made']
  const sites = ['web/portal/dist/index.html', 'web/desk/dist/index.html']
  for (const file of [...built, ...sites]) write(from, file, file.endsWith('bootstrap') ? 0o755 : 0o644)
  write(from, 'web/portal/package.json')
  write(to, 'web/portal/dist/old.html')
  write(to, 'web/portal/main.tsx')
  const file = path.join(from, 'target/bundle')
  pack(from, file)
  unpack(to, file)
  const found = execFileSync('find', ['.', '-type', 'f', '-printf', '%P %m\n'], { cwd: to, encoding: 'utf8' })
  expect(found.trim().split('\n').sort()).toEqual(
    [
      'target/lambda/job_list/bootstrap 755',
      ...[...built.slice(1), ...sites, 'web/portal/main.tsx'].map((name) => `${name} 644`),
    ].sort(),
  )
})

describe('the commands', () => {
  /** A checkout with the commands in it. */
  const checkout = () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'zaehlwerk-release-'))
    const here = path.resolve(import.meta.dirname, '..')
    fs.cpSync(path.join(here, 'release'), path.join(root, 'infra/release'), { recursive: true })
    fs.copyFileSync(path.join(here, 'package.json'), path.join(root, 'infra/package.json'))
    fs.symlinkSync(path.join(here, '../node_modules'), path.join(root, 'node_modules'))
    return root
  }
  const build = (root: string, version: string) => {
    for (const folder of ['target/lambda', 'web/portal/dist', 'web/desk/dist']) {
      fs.mkdirSync(path.join(root, folder), { recursive: true })
      fs.writeFileSync(path.join(root, folder, 'built'), version)
    }
    for (const name of ['functions', 'sites']) fs.writeFileSync(path.join(root, `target/${name}.made`), version)
  }
  const run = (root: string, words: string[], input = '') => {
    const { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY } = client.credentials
    const env = { ...process.env, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL: client.endpoint }
    const running = promisify(execFile)(process.execPath, [path.join(root, 'infra/release/cli.ts'), ...words], { env })
    running.child.stdin?.end(input)
    return running
  }

  it('deploy, go back, and bring what was deployed into a checkout that has never built it', async () => {
    const root = checkout()
    const stage = `pr-${tests}`
    const own = `zaehlwerk-${stage}-releases-000000000000`
    await s3.send(new CreateBucketCommand({ Bucket: own }))
    const deploy = async (version: string, alarm?: string, settings: Record<string, string> = {}) => {
      build(root, version)
      const release = { version, numbers: await publishAll(version, settings), bucket: own, alarm }
      return run(root, ['shift'], JSON.stringify(release))
    }
    expect((await deploy('aaa')).stdout).toContain('aaa answers; 2 functions were moved.')
    await deploy('bbb')
    expect(await lives()).toEqual(functions.map(() => ['3', {}]))
    await cloudwatch.send(new DeleteAlarmsCommand({ AlarmNames: [ALARM] }))
    await expect(deploy('ccc', ALARM)).rejects.toMatchObject({ stderr: expect.stringContaining('There is no alarm') })

    // A deployment that did not come to its end is what to go back from, though the version before answers everything.
    expect((await run(root, ['back', stage])).stdout).toBe('bbb\n')
    expect(await lives()).toEqual(functions.map(() => ['3', {}]))
    // What one leaves behind that was killed half-way.
    await publishAll('ddd')
    await moveAtOnce(lambda, { [functions[0] ?? '']: '5' })
    expect((await run(root, ['back', stage])).stdout).toBe('bbb\n')
    expect(await lives()).toEqual(functions.map(() => ['3', {}]))
    expect((await run(root, ['back', stage])).stdout).toBe('aaa\n')
    expect(await lives()).toEqual(functions.map(() => ['2', {}]))
    await expect(run(root, ['back', stage])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('before aaa'),
    })

    // A number has the settings of its time: what answers must not go back to the table before a restore.
    await deploy('ddd', undefined, { TABLE_NAME: 'restored', NEW_SETTING: 'new' })
    const unmoved = await lives()
    const { stdout, stderr } = await run(root, ['back', stage])
    expect([stdout, stderr]).toEqual([
      'aaa\n',
      'aaa has to be deployed before it answers: it has other values of TABLE_NAME.\n',
    ])
    expect(await lives()).toEqual(unmoved)
    await expect(run(root, ['back', stage])).resolves.toMatchObject({ stdout: 'aaa\n' })

    const other = checkout()
    await run(other, ['fetch', stage, 'aaa'])
    expect(fs.readFileSync(path.join(other, 'web/portal/dist/built'), 'utf8')).toBe('aaa')
    await expect(run(other, ['fetch', stage, 'ccc'])).rejects.toMatchObject({
      stderr: expect.stringContaining('has not kept'),
    })
  })
})
