/** Name of the bucket with a stage's versions, which its commands know without asking the deployment's state. */
export function bucketName(app: string, stage: string, account: string): string {
  return `${app}-${stage}-releases-${account}`
}
