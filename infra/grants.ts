import type { Resource } from './routes.ts'
import { publicKeys, signingKey } from './secrets.ts'
import { photos, table } from './storage.ts'

/** What each kind of resource in the route table is. Nothing here ends in a wildcard but objects under a prefix. */
export const arns: Record<Resource, $util.Input<string>> = {
  table: table.arn,
  uploads: $interpolate`${photos.arn}/uploads/*`,
  photos: $interpolate`${photos.arn}/photos/*`,
  photoBucket: photos.arn,
  signingKey: signingKey.arn,
}

/** The value of each environment variable that a function may ask for. None is a secret. */
export const variables: Record<string, $util.Input<string>> = {
  TABLE_NAME: table.name,
  PHOTO_BUCKET: photos.name,
  JWT_PRIVATE_KEY_PARAMETER: signingKey.name,
  JWT_PUBLIC_KEYS: publicKeys,
}
