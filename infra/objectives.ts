/** What the portal promises about sending a reading, and whether it keeps it (docs/operations.md, "What is promised"). */
import { alarm, anyOfAll, lineMetric, type Metric, NAMESPACE, SILENCE } from './alarm.ts'
import { api, endpointLogs } from './api.ts'
import { routes } from './routes.ts'
import { isProduction } from './stage.ts'

/** Operations by which a reading is sent. */
const SENDING = ['result_create', 'visitor_reading_create', 'own_reading_create']

/** Shares of what is sent that may go wrong, in percent: 99.95 % are answered, and 99 % of them within a second. */
const BUDGET = { failed: 0.05, slow: 1 }
const SLOW_MS = 1_000

/**
 * How fast a month's budget may be used up: so many times as fast as it lasts, over a long time, and still so in the last minutes. The first
 * pair has used 2 % of it, the second one 5 %.
 */
const BURNS = [
  { times: 14.4, long: 3_600, short: 300 },
  { times: 6, long: 21_600, short: 1_800 },
]

/** Of so many answers of a long time at least, so that a single one of a quiet night raises no alarm. */
const FEWEST = 5

const sent = routes
  .filter(({ operation }) => SENDING.includes(operation))
  .map(({ routeKey }) => `$.route = "${routeKey}"`)
  .join(' || ')

// The gateway's log, because what it refuses for want of a function or of room no function writes down; its error is "-" if it had none.
const log = api.nodes.logGroup.name
lineMetric('SendingMs', { log, pattern: `{ (${sent}) && $.latencyMs >= 0 }`, value: '$.latencyMs' })
lineMetric('FailedSends', {
  log,
  pattern: `{ (${sent}) && ($.status >= 500 || ($.status = 429 && $.error != "-")) }`,
  countsNone: true,
})
lineMetric('SlowSends', { log, pattern: `{ (${sent}) && $.latencyMs >= ${SLOW_MS} }`, countsNone: true })
lineMetric('AcceptedReadings', { log, pattern: `{ (${sent}) && $.status < 300 }`, countsNone: true })
lineMetric('Logins', { log: endpointLogs.name, pattern: '{ $.event = "login" }' })

const own = (metricName: string, stat = 'Sum'): Metric => ({ namespace: NAMESPACE, metricName, stat })

/** Alarms that only together mean something: on over a time while this share is above what is promised. */
function burning(name: string, metric: string, percent: number, seconds: number, fewest: number) {
  const answers = Math.floor((100 * fewest) / percent)
  return alarm(`${name}${seconds / 60}Minutes`, {
    description: `At least ${percent} % in ${seconds / 60} minutes`,
    manual: name,
    metrics: { bad: own(metric), sends: own('SendingMs', 'SampleCount') },
    expression: `100 * bad / IF(sends > ${answers}, sends, ${answers})`,
    threshold: percent,
    periods: 1,
    period: seconds,
    silence: SILENCE.isNone,
    isPart: true,
  })
}

/** An alarm while a budget is used up too fast. */
function watch(name: string, description: string, metric: string, budget: number): void {
  const pairs = BURNS.map(({ times, long, short }) => {
    const percent = Number((times * budget).toPrecision(3))
    return [burning(name, metric, percent, long, FEWEST), burning(name, metric, percent, short, 1)]
  })
  anyOfAll(name, description, pairs)
}

// They cost some dollars a month, and only real readers were promised something.
if (isProduction) {
  watch(
    'SendingErrors',
    'So many readings cannot be sent that the month’s 0.05 % are soon used up',
    'FailedSends',
    BUDGET.failed,
  )
  watch(
    'SendingTime',
    'So many readings take longer than a second that the month’s 1 % is soon used up',
    'SlowSends',
    BUDGET.slow,
  )
}

/** Logins of an hour of which at least one leads to a reading, if the portal works. */
const LOGINS = 50

alarm('NoReadings', {
  description: `At least ${LOGINS} logins in an hour, and not one reading was accepted`,
  metrics: { logins: own('Logins'), readings: own('AcceptedReadings') },
  expression: `IF(logins >= ${LOGINS} AND readings < 1, 1, 0)`,
  threshold: 1,
  periods: 1,
  period: 3_600,
  // Without logins no reader is kept from sending.
  silence: SILENCE.isNone,
})
