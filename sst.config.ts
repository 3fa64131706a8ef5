/// <reference path="./.sst/platform/config.d.ts" />

export default $config({
  app({ stage }) {
    const production = stage === 'production'
    return {
      name: 'zaehlwerk',
      home: 'aws',
      removal: production ? 'retain' : 'remove',
      protect: production,
      providers: { aws: { region: 'eu-central-1' }, random: '4.16.6', command: '1.0.1' },
    }
  },
  async run() {
    if ($dev) throw new Error('The local product is `make dev`; `sst dev` is not used here.')
    const { functions, sites } = await import('./infra/build.ts')
    const { makeOnce } = await import('./infra/made.ts')
    makeOnce(functions($cli.paths.root))
    makeOnce(sites($cli.paths.root))
    const { mailRecords } = await import('./infra/email.ts')
    const { table, photos } = await import('./infra/storage.ts')
    const { portal } = await import('./infra/web.ts')
    const { ownNamesTarget } = await import('./infra/own-names.ts')
    const { desk } = await import('./infra/desk.ts')
    const { staff } = await import('./infra/staff.ts')
    await import('./infra/workers.ts')
    await import('./infra/trail.ts')
    const { operatorPolicy } = await import('./infra/operator.ts')
    await import('./infra/alarms.ts')
    await import('./infra/backup.ts')
    await import('./infra/objectives.ts')
    await import('./infra/outside.ts')
    await import('./infra/dashboards.ts')
    const { versionOf } = await import('./infra/version.ts')
    return {
      version: versionOf($cli.paths.root),
      portal: portal.url,
      desk: desk?.url,
      ownNames: ownNamesTarget,
      staffPool: staff?.pool,
      table: table.name,
      photos: photos.name,
      operatorPolicy,
      mailRecords,
    }
  },
})
