import { type Credential, stringToSign } from '@rowkey/rest'
import type { SigningKey } from '../platform/crypto.ts'

/**
 * Makes a credential that signs with the key of an embedded account. It works in browsers and
 * workers too: an embedded key protects only data in the same program.
 */
export function accountCredential(account: string, key: SigningKey): Credential {
  return {
    authorize(request, _endpoint, now) {
      const date = new Date(now).toUTCString()
      const signature = key.sign(stringToSign('SharedKeyLite', request, account, date))
      const authorization = `SharedKeyLite ${account}:${signature}`
      return { ...request, headers: { 'x-ms-date': date, authorization, ...request.headers } }
    },
  }
}
