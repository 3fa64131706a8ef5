/** Moves what answers from one version of the functions to another: by steps that an alarm watches, or at once (D-PLATFORM-15). */
import { setTimeout as sleep } from 'node:timers/promises'
import { type CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch'
import {
  type AliasConfiguration,
  GetAliasCommand,
  GetFunctionConfigurationCommand,
  type LambdaClient,
  ResourceNotFoundException,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda'
import { each } from './each.ts'

/** The alias that everything calls a function by, as `function.ts` names it. */
export const LIVE = 'live'

/** Numbers that Lambda has published, by the function's name. */
export type Numbers = Record<string, string>

/** A share of the calls that the new version gets, above 0 and up to 1, and for how many seconds it is watched with it. */
export interface Step {
  share: number
  seconds: number
}

/** The way of a release in production. A fault is in the log at once, in the alarm's metric a minute later, and another one later in its state. */
export const STEPS: Step[] = [
  { share: 0.1, seconds: 420 },
  { share: 1, seconds: 300 },
]

/** What watches the new version. */
export interface Watch {
  cloudwatch: CloudWatchClient
  /** Name of the alarm. */
  alarm: string
  /** Seconds between two looks. */
  every: number
  /** Seconds that an alarm of an earlier version may take to end before anything moves. */
  patience: number
  /** Ends the watch before its time, which takes everything back. */
  signal: AbortSignal
}

/** What answered before. */
interface Before {
  name: string
  /** The number of most or of all calls. */
  number: string
  /** The number that is to answer. */
  next: string
}

/** Where the alias of a function points, nothing if there is none. */
async function aliasOf(lambda: LambdaClient, name: string): Promise<AliasConfiguration | undefined> {
  try {
    return await lambda.send(new GetAliasCommand({ FunctionName: name, Name: LIVE }))
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined
    throw error
  }
}

/** The functions that do not answer as wanted yet. Those that are gone meanwhile are none. */
async function pending(lambda: LambdaClient, wanted: Numbers): Promise<Before[]> {
  const looked = await each(Object.entries(wanted), async ([name, next]) => {
    const alias = await aliasOf(lambda, name)
    const number = alias?.FunctionVersion
    const isShared = Object.keys(alias?.RoutingConfig?.AdditionalVersionWeights ?? {}).length > 0
    return number === undefined || (number === next && !isShared) ? [] : [{ name, number, next }]
  })
  return looked.flat()
}

/** Has one number answer all calls but a share, which another one gets. */
async function point(lambda: LambdaClient, name: string, number: string, shares: Record<string, number>) {
  await lambda.send(
    new UpdateAliasCommand({
      FunctionName: name,
      Name: LIVE,
      FunctionVersion: number,
      RoutingConfig: { AdditionalVersionWeights: shares },
    }),
  )
}

/** The variable that is another one with each version. */
const VERSION = 'VERSION'

/**
 * Settings that have changed between what answers and these numbers, such as the keys that tokens are checked with or a restored table.
 * A number has those of its time for ever.
 */
export async function changedSettings(lambda: LambdaClient, wanted: Numbers): Promise<string[]> {
  const settingsOf = async (name: string, number: string) => {
    const input = { FunctionName: name, Qualifier: number }
    return (await lambda.send(new GetFunctionConfigurationCommand(input))).Environment?.Variables ?? {}
  }
  const changed = await each(await pending(lambda, wanted), async ({ name, number, next }) => {
    const [now, then] = [await settingsOf(name, number), await settingsOf(name, next)]
    return Object.keys(now).filter((key) => key !== VERSION && key in then && now[key] !== then[key])
  })
  return [...new Set(changed.flat())].sort()
}

/** Has these numbers answer all calls at once; returns how many functions were moved. */
export async function moveAtOnce(lambda: LambdaClient, wanted: Numbers): Promise<number> {
  const moving = await pending(lambda, wanted)
  await each(moving, ({ name, next }) => point(lambda, name, next, {}))
  return moving.length
}

async function isInAlarm({ cloudwatch, alarm, signal }: Watch): Promise<boolean> {
  const found = await cloudwatch.send(new DescribeAlarmsCommand({ AlarmNames: [alarm] }), { abortSignal: signal })
  const state = found.MetricAlarms?.[0]?.StateValue
  // Without it everything would look well.
  if (state === undefined) throw new Error(`There is no alarm ${alarm} that could watch the new version.`)
  return state === 'ALARM'
}

/** Looks at the alarm for so many seconds, first at once and last at their end, until it has the state; whether it had it. */
async function sees(watch: Watch, state: boolean, seconds: number): Promise<boolean> {
  const end = performance.now() + 1000 * seconds
  for (;;) {
    if ((await isInAlarm(watch)) === state) return true
    const left = end - performance.now()
    if (left <= 0) return false
    await sleep(Math.min(left, 1000 * watch.every), undefined, { signal: watch.signal })
  }
}

/**
 * Has these numbers answer more and more calls. If the alarm goes off, or anything else fails on the way, all functions answer as
 * before, and the error says why.
 *
 * @returns how many functions were moved.
 */
export async function moveBySteps(
  lambda: LambdaClient,
  wanted: Numbers,
  steps: Step[],
  watch: Watch,
  say: (line: string) => void,
): Promise<number> {
  const moving = await pending(lambda, wanted)
  if (moving.length === 0) return 0
  if (!(await sees(watch, false, watch.patience))) {
    throw new Error(
      `${watch.alarm} is in alarm, and nothing was moved. Once it has ended, deploy again; ZW_SHIFT=at-once does not look at it.`,
    )
  }
  try {
    for (const { share, seconds } of steps) {
      await each(moving, ({ name, number, next }) =>
        share < 1 ? point(lambda, name, number, { [next]: share }) : point(lambda, name, next, {}),
      )
      say(`${moving.length} functions: ${100 * share} % of the calls go to the new version, watched for ${seconds} s.`)
      if (await sees(watch, true, seconds)) throw new Error(`${watch.alarm} went off`)
    }
  } catch (cause) {
    await each(moving, ({ name, number }) => point(lambda, name, number, {}))
    const reason = watch.signal.aborted ? 'it was stopped' : String(cause instanceof Error ? cause.message : cause)
    throw new Error(`The new version was taken back, and the one before answers everything: ${reason}.`, { cause })
  }
  return moving.length
}
