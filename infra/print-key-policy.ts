/**
 * Prints the policy of a brought key:
 *
 *     npm run --silent key-policy --workspace infra -- <account> <stage>
 */
import { keyPolicy } from './key-policy.ts'

const [account, stage] = process.argv.slice(2)
if (account === undefined || stage === undefined) throw new Error('Whose key is it: <account> <stage>?')
console.log(JSON.stringify(keyPolicy(account, stage), null, 2))
