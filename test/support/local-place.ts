import type { RequestPlace } from '../../packages/local/src/request/read-request.ts'

/** The place of a request that the account's key signed. */
export const place: RequestPlace = {
  requestId: '1',
  account: 'contoso',
  grant: { kind: 'key' },
  isSecondary: false,
  origin: 'http://localhost',
  basePath: '',
}
