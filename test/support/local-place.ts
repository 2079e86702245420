import type { CallPlace } from '../../packages/local/src/call/read-call.ts'

/** Where a call stands that the account's key signed. */
export const place: CallPlace = {
  requestId: '1',
  account: 'contoso',
  grant: { kind: 'key' },
  isSecondary: false,
  origin: 'http://localhost',
  basePath: '',
}
