/** What IAM would say, by policies as they would be deployed. */
import { runSimulation, type Simulation } from '@cloud-copilot/iam-simulate'

export const ACCOUNT = '123456789012'
export const arn = (service: string, rest: string) => `arn:aws:${service}:eu-central-1:${ACCOUNT}:${rest}`

/** A request as IAM sees it. */
export interface Asked {
  action: string
  resource: string
  context?: Record<string, string | string[]>
}

export type Policy = Simulation['identityPolicies'][number]['policy']

/** What IAM says of a request: the result of a simulation, which refuses what no request of AWS looks like. */
export async function decide(
  principal: string,
  { action, resource, context = {} }: Asked,
  policies: Policy[],
  resourcePolicy?: Policy,
): Promise<string> {
  const simulated = await runSimulation(
    {
      request: {
        principal,
        action,
        resource: { resource, accountId: ACCOUNT },
        contextVariables: { 'aws:SecureTransport': 'true', ...context },
      },
      identityPolicies: policies.map((policy, index) => ({ name: String(index), policy })),
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      ...(resourcePolicy && { resourcePolicy }),
    },
    {},
  )
  if (simulated.resultType === 'error') {
    throw new Error(`${action} on ${resource} is no request: ${JSON.stringify(simulated.errors)}`)
  }
  return simulated.overallResult
}
