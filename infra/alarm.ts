import { key } from './key.ts'
import { alarmEmail } from './stage.ts'

/** CloudFront, its firewall, certificates and checks from outside report from here only, and an alarm tells topics of its own region only. */
export const usEast1 = new aws.Provider('UsEast1', { region: 'us-east-1' })

/** A topic that alarms go to; the address for alarms is subscribed. */
function alarmTopic(name: string, args: aws.sns.TopicArgs, options: $util.CustomResourceOptions = {}) {
  const topic = new aws.sns.Topic(name, args, options)
  if (alarmEmail !== undefined) {
    new aws.sns.TopicSubscription(
      `${name}Email`,
      { topic: topic.arn, protocol: 'email', endpoint: alarmEmail },
      options,
    )
  }
  return topic
}

const topic = alarmTopic('Alarms', { kmsMasterKeyId: key })
// The customer's key is of another region, and an alarm has nothing of a person.
const globalTopic = alarmTopic('GlobalAlarms', {}, { provider: usEast1 })

/** The metrics that the stage makes of its own log lines. */
export const NAMESPACE = `${$app.name}-${$app.stage}`

/** What it means that a metric has nothing to tell. */
export const SILENCE = {
  /** It is told when something happens, or while requests come: without readers there is nothing. */
  isNone: 'notBreaching',
  /** It is told now and then, and stays what it was until it is told again. */
  lasts: 'ignore',
  /** A clock has it told whether anybody reads or not: who should tell it is gone. */
  isFault: 'breaching',
} as const

/** Seconds of a period, unless an alarm says otherwise. */
const PERIOD = 300

export type Metric = Omit<aws.types.input.cloudwatch.MetricAlarmMetricQueryMetric, 'period'>

export interface Alarm {
  /** What it says, for the mail. */
  description: string
  /** The heading in `docs/operations.md` under which is said what to do; without it the alarm's name. */
  manual?: string
  /** Metrics by id. */
  metrics: Record<string, Metric>
  /** A calculation over the ids. */
  expression: string
  /** The alarm's value is at or above this … */
  threshold: number
  /** … for so many periods … */
  periods: number
  /** … of so many seconds. */
  period?: number
  silence: (typeof SILENCE)[keyof typeof SILENCE]
  /** No topic is told; another alarm looks at it. */
  isPart?: boolean
  /** What it watches reports from us-east-1. */
  isGlobal?: boolean
}

// Two stages of an account may tell the same person.
const fullName = (name: string) => `${NAMESPACE}-${name}`
const say = (description: string, heading: string) => `${description} (docs/operations.md, "${heading}")`
const tell = (arn: $util.Input<string>) => ({ alarmActions: [arn], okActions: [arn] })

/** An alarm on a calculation over metrics of CloudWatch. */
export function alarm(name: string, definition: Alarm): aws.cloudwatch.MetricAlarm {
  const { description, manual = name, metrics, expression, threshold, periods, period = PERIOD } = definition
  const { silence, isPart = false, isGlobal = false } = definition
  return new aws.cloudwatch.MetricAlarm(
    name,
    {
      name: fullName(name),
      alarmDescription: say(description, manual),
      metricQueries: [
        ...Object.entries(metrics).map(([id, metric]) => ({ id, metric: { ...metric, period } })),
        { id: 'value', expression, returnData: true },
      ],
      comparisonOperator: 'GreaterThanOrEqualToThreshold',
      threshold,
      evaluationPeriods: periods,
      datapointsToAlarm: periods,
      treatMissingData: silence,
      ...(isPart ? {} : tell(isGlobal ? globalTopic.arn : topic.arn)),
    },
    isGlobal ? { provider: usEast1 } : {},
  )
}

/** An alarm while all alarms of one of the groups are on. */
export function anyOfAll(name: string, description: string, groups: aws.cloudwatch.MetricAlarm[][]): void {
  const rules = groups.map((alarms) => $util.all(alarms.map((part) => $interpolate`ALARM("${part.name}")`)))
  new aws.cloudwatch.CompositeAlarm(name, {
    alarmName: fullName(name),
    alarmDescription: say(description, name),
    alarmRule: $util.all(rules).apply((ands) => ands.map((parts) => `(${parts.join(' AND ')})`).join(' OR ')),
    ...tell(topic.arn),
  })
}

/** Lines of a log that make a metric of the stage. */
export interface Lines {
  log: $util.Input<string>
  /** Which lines count. */
  pattern: string
  /** What a line is worth: `1`, or a field of its own. */
  value?: string
  /** A line that does not count is worth nothing, so that silence of the metric is silence of the log. */
  countsNone?: boolean
  /** Fields of the line by which the metric is told apart; such a metric cannot count none. */
  by?: Record<string, string>
}

/** A metric of the stage from lines of its logs. */
export function lineMetric(metric: string, ...sources: Lines[]): void {
  for (const [index, { log, pattern, value = '1', countsNone = false, by }] of sources.entries()) {
    new aws.cloudwatch.LogMetricFilter(`${metric}${index || ''}`, {
      logGroupName: log,
      pattern,
      metricTransformation: {
        name: metric,
        namespace: NAMESPACE,
        value,
        ...(countsNone ? { defaultValue: '0' } : {}),
        ...(by === undefined ? {} : { dimensions: by }),
      },
    })
  }
}

interface LogAlarm extends Pick<Alarm, 'description' | 'threshold' | 'periods'> {
  logs: aws.cloudwatch.LogGroup[]
  pattern: string
  /** The metric's name. */
  metric: string
  value?: string
  /** Of several lines the sum counts, or the greatest. */
  stat?: 'Sum' | 'Maximum'
}

/** An alarm on lines of one log or several, which are written when something happens. */
export function logAlarm(name: string, { logs, pattern, metric, value = '1', stat = 'Sum', ...rest }: LogAlarm): void {
  lineMetric(metric, ...logs.map((log) => ({ log: log.name, pattern, value })))
  const lines = { namespace: NAMESPACE, metricName: metric, stat }
  alarm(name, { ...rest, metrics: { lines }, expression: 'lines', silence: SILENCE.isNone })
}
