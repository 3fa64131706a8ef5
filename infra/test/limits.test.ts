import { describe, expect, it } from 'vitest'
import { production, stages } from './deployment.ts'

/** What AWS refuses, and a deployment would find out half-way. */
describe.each(Object.entries(stages))('limits of AWS keep %s', (_, stage) => {
  it.each([...stage.functions()])('the function %s', (_, fn) => {
    expect(fn.inputs['description'].length).toBeLessThanOrEqual(256)
    const variables: Record<string, string> = fn.inputs['environment'].variables
    const environment = Object.entries(variables).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
    expect(environment).toBeLessThanOrEqual(4_096)
    const policies: { policy: string }[] = stage
      .all('aws:iam/role:Role')
      .filter(({ name }) => fn.inputs['role'].endsWith(`:role/${name}`))
      .flatMap(({ inputs }) => inputs['inlinePolicies'])
    expect(policies.reduce((sum, { policy }) => sum + policy.length, 0)).toBeLessThanOrEqual(10_240)
  })

  it('routes and integrations of the API', () => {
    for (const type of ['aws:apigatewayv2/route:Route', 'aws:apigatewayv2/integration:Integration']) {
      expect(stage.all(type).length).toBeGreaterThan(0)
      expect(stage.all(type).length).toBeLessThanOrEqual(300)
    }
  })

  // Of 1,000, Lambda keeps a hundred for the functions without a share of their own.
  it('shares of the concurrency', () => {
    const shares = [...stage.functions().values()].map(({ inputs }) => inputs['reservedConcurrentExecutions'] ?? 0)
    expect(shares.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(900)
  })

  // Pulumi puts a hyphen and seven digits behind the name of a resource whose name is not given.
  it.each([
    ['aws:iam/role:Role', 64],
    ['aws:scheduler/schedule:Schedule', 64],
    ['aws:sqs/queue:Queue', 80],
  ])('names of %s', (type, most) => {
    for (const { name, inputs } of stage.all(type)) {
      expect((inputs['name'] ?? `${name}-1234567`).length, name).toBeLessThanOrEqual(most)
    }
  })

  it('entries of the key-value store at the edge', () => {
    const entries = stage
      .all('pulumi-nodejs:dynamic:Resource')
      .flatMap(({ name, inputs }) =>
        name.endsWith('.KvKeys')
          ? Object.entries<string>(inputs['entries']).map((entry) => [inputs['namespace'], ...entry])
          : [],
      )
    expect(entries.length).toBeGreaterThan(0)
    for (const [namespace, key, value] of entries) {
      expect(Buffer.byteLength(`${namespace}:${key}`), key).toBeLessThanOrEqual(512)
      expect(Buffer.byteLength(value), key).toBeLessThanOrEqual(1_024)
    }
  })

  it('headers of an answer', () => {
    for (const { name, inputs } of stage.all('aws:cloudfront/responseHeadersPolicy:ResponseHeadersPolicy')) {
      expect(inputs['customHeadersConfig'].items.length, name).toBeLessThanOrEqual(10)
      expect(JSON.stringify(inputs).length, name).toBeLessThanOrEqual(10_240)
    }
  })
})

it('one region has everything but certificates, the firewall and the alarm of the distribution', () => {
  for (const { evaluated } of Object.values(stages)) {
    expect(evaluated.app).toMatchObject({
      name: 'zaehlwerk',
      home: 'aws',
      providers: { aws: { region: 'eu-central-1' } },
    })
  }
  const providers = production.all('pulumi:providers:aws').map(({ inputs }) => inputs['region'])
  expect(new Set(providers)).toEqual(new Set(['us-east-1']))
})

it('a deployment says what it made', () => {
  expect(production.evaluated.outputs).toMatchObject({
    desk: 'https://desk.example.de',
    staffPool: 'StaffUserPool-id',
    portal: 'https://portal.example.de',
    table: 'TableTable',
    photos: 'photosbucket',
  })
})
