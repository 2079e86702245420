// Runs in a browser: browser.mjs calls these functions.
import { connect, type TransportError } from 'rowkey'
import { conformance } from './conformance.ts'

Object.assign(globalThis, {
  conformance: (sasUrl: string) => conformance(connect(sasUrl)),

  /** What a call says that the account's CORS rules do not allow. */
  async refusal(sasUrl: string): Promise<string> {
    const account = connect(sasUrl)
    const error = await account
      .table('readings')
      .create()
      .then(
        () => undefined,
        (reason: TransportError) => reason,
      )
    await account.close()
    return `${error?.name} ${error?.failure}: ${error?.message}`
  },

  /** What `connect` says about an account key. */
  keyInPage(connectionString: string): string {
    try {
      connect(connectionString)
      return 'accepted'
    } catch (error) {
      return String(error)
    }
  },
})
