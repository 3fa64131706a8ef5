/** Letters and meters of the demo tenant (demo/birkenfurt). A journey that sends makes a customer (customer.ts), or takes the manager's meters that only it sends for. */
export const letters = {
  anna: { name: 'Anna Sommer', username: 'anna.sommer', password: 'birken-417', token: 'annaSommer417Lindenweg12' },
  mehmet: {
    name: 'Mehmet Yıldız',
    username: 'mehmet.yildiz',
    password: 'birken-523',
    token: 'mehmetYildiz523Muehlgasse',
  },
  rosa: { name: 'Rosa Winter', username: 'rosa.winter', password: 'birken-688', token: 'rosaWinter688AmFurtufer27' },
  manager: {
    name: 'Hausverwaltung Bergmann & Partner',
    username: 'bergmann',
    password: 'birken-250',
    token: 'bergmannPartner250Zaehler',
  },
} as const

export const meters = {
  /** Anna's, high and low tariff. */
  doubleTariff: { id: '10417-strom', number: '1EBZ0100004711' },
  /** Anna's, with feed-in. */
  solar: { id: '10417-solar', number: '1ISK0070112358' },
  /** Anna's, read two days ago, with a photo. */
  done: { id: '10417-wasser', number: '8SEN0199000042' },
  /** Mehmet's, due in three days. */
  due: { id: '10523-strom', number: '1LOG0065004120' },
  /** Rosa's, whose limits are strict. */
  strict: { id: '10688-streng', number: '1EBZ0100004790' },
  /** Rosa's, some days too late, and still taken. */
  overdue: { id: '10688-verspaetet', number: '8SEN0199000077' },
  /** Rosa's, ten days too late. */
  expired: { id: '10688-abgelaufen', number: '1EMH0011223344' },
} as const
