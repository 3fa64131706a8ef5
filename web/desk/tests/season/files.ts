/** What a utility's old program exports, with the faults that such files have. */
import { day } from '../../../portal/tests/day.ts'

/** A file as it is picked in the browser. */
export interface Table {
  name: string
  mimeType: string
  buffer: Buffer
}

/** As old German programs write: Windows-1252, semicolons, CRLF. */
export const table = (name: string, lines: readonly string[]): Table => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'latin1'),
})

/** So many days from today, as Germans write it. */
const german = (offset: number) => day(offset).split('-').toReversed().join('.')

interface Person {
  first: string
  name: string
  house: number
}

/** By customer number. */
export const people = {
  '4401': { first: 'Jürgen', name: 'Äpfelbach', house: 1 },
  '4402': { first: 'Zoë', name: 'Müller', house: 2 },
  '4403': { first: 'Herta', name: 'Groß', house: 3 },
  '4404': { first: 'Karl', name: 'König', house: 4 },
  '4405': { first: 'Mia', name: 'Späth', house: 5 },
} as const satisfies Record<string, Person>

/** What stood on the meter a year ago and what is read now, by the meter's number. */
export const meters = {
  twoRates: '1EBZ0100004401',
  water: '8SEN0100004402',
  gas: '7ELS0100004403',
  power: '1EBZ0100004404',
  late: '7ELS0100004405',
} as const

/** The customers; the last two lines must not come in. */
export const accounts = (email: string): Table =>
  table('Kunden.csv', [
    'Kundennummer;Vorname;Nachname;E-Mail;Gültig bis',
    ...Object.entries(people).map(
      ([id, { first, name }]) => `${id};${first};${name};${id === '4405' ? email : ''};${german(400)}`,
    ),
    '4406;Uwe;Ohne;uwe.ohne(at)example.org;',
    ';Ina;Namenlos;;',
  ])

const HEADS =
  'Kundennummer;Ableseauftrag;Gerät;Sparte;Kennzahl;Tarif;Letzte Ablesung;Letzter Stand;Jahresverbrauch;Frist;Name;Strasse;Hausnr;PLZ;Ort;Vertrag'

/** A row for each register, in the order of the heads. */
function row(
  id: keyof typeof people,
  meter: string,
  medium: string,
  obis: string,
  tariff: string,
  last: string,
  use: string,
) {
  const { name, house } = people[id]
  const where = `${name};Lindenweg;${house};99084;Neustadt;V-${id}`
  return `${id};A-${id};${meter};${medium};${obis};${tariff};${german(-365)};${last};${use};${german(10)};${where}`
}

const SOUND = [
  row('4401', meters.twoRates, 'Strom', '1-0:1.8.1', 'HT', '12000,5', '1500'),
  row('4401', meters.twoRates, 'Strom', '1-0:1.8.2', 'NT', '8000,5', '1200'),
  row('4402', meters.water, 'Wasser', '8-0:1.0.0', '', '300,250', '80'),
  row('4403', meters.gas, 'Gas', '7-0:3.0.0', '', '5000,0', '1400'),
  row('4404', meters.power, 'Strom', '1-0:1.8.0', '', '20000,0', '2500'),
] as const
const LATE = row('4405', meters.late, 'Gas', '7-0:3.0.0', '', '7000,0', '1100')
const FAULTY = [
  // What a spreadsheet made of a meter's number, a code that is none, a day that never was, and a customer who did not come in.
  row('4401', '1,23457E+13', 'Strom', '1-0:1.8.0', '', '1,0', '').replace('A-4401', 'A-9001'),
  row('4402', '8SEN0100009002', 'Wasser', '8.1', '', '1,0', '').replace('A-4402', 'A-9002'),
  row('4403', '7ELS0100009003', 'Gas', '7-0:3.0.0', '', '1,0', '')
    .replace('A-4403', 'A-9003')
    .replace(german(-365), '30.02.2026'),
  row('4404', '1EBZ0100009004', 'Strom', '1-0:1.8.0', '', '1,0', '').replace('4404;A-4404', '4406;A-9004'),
] as const

/** The jobs of all; of `faults` the last four lines must not come in. */
export const jobs = (faults: boolean): Table =>
  table('Ableseauftraege.csv', [HEADS, ...SOUND, LATE, ...(faults ? FAULTY : [])])

/** The jobs that are over: what it lacks is to be closed. */
export const readJobs = (): Table => table('Abschluss.csv', [HEADS, ...SOUND])
