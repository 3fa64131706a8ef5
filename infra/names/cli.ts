/**
 * Names of the tenants' own (docs/operations.md, "Several tenants, their own names"):
 *
 *     node cli.ts add <stage> <host> <tenant>   adds a name, and says where its record has to point
 *     node cli.ts look <stage> <host>           how far it is
 *     node cli.ts list <stage>                  all of them
 *     node cli.ts remove <stage> <host>
 */
import { CloudFrontClient } from '@aws-sdk/client-cloudfront'
import { groupName } from './group.ts'
import { add, list, look, type OwnName, remove } from './names.ts'

// CloudFront's only one.
const client = new CloudFrontClient({ region: 'us-east-1' })
const show = ({ host, tenant, target, status, certificate }: OwnName) =>
  `${host} (${tenant}): ${status}, certificate ${certificate}; its record: ${host} CNAME ${target}`

const commands: Record<string, (group: string, host: string, tenant: string) => Promise<string>> = {
  add: async (group, host, tenant) => show(await add(client, group, host, tenant)),
  look: async (group, host) => show(await look(client, group, host)),
  list: async (group) => (await list(client, group)).join('\n'),
  remove: async (group, host) => remove(client, group, host).then(() => `${host} is removed.`),
}

const [name = '', stage, host = '', tenant = ''] = process.argv.slice(2)
const command = commands[name]
const wants = { add: 4, look: 3, list: 2, remove: 3 }[name]
if (command === undefined || stage === undefined || process.argv.length - 2 !== wants) {
  console.error('add <stage> <host> <tenant>, look <stage> <host>, list <stage> or remove <stage> <host>')
  process.exitCode = 2
} else {
  try {
    console.log(await command(groupName('zaehlwerk', stage), host, tenant))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
