import process from 'node:process'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bundled, runBundle } from '../../../support/bundled.ts'

const { text } = await bundled(`
  import { accountSas, SharedKeyCredential, tableSas } from '@rowkey/rest'
  const credential = new SharedKeyCredential({ account: 'contoso', key: 'c2VjcmV0', runsOnServer: true })
  const common = { credential, expiry: new Date(Date.UTC(2026, 11, 1)), permissions: 'r' }
  const made = (make) => {
    try {
      return make().token
    } catch ({ code, message }) {
      return code + ' ' + message
    }
  }
  report([
    made(() => tableSas({ ...common, table: 'people' })),
    made(() => accountSas({ ...common, resourceTypes: 'o' })),
  ])`)

afterEach(() => void vi.restoreAllMocks())

describe('making a shared access signature of a table or an account in a worker', () => {
  it('without node:crypto is rejected, with the reason and the alternative', async () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
    const reason = /^UnsupportedOperation .*synchronous HMAC\. Make it on Node/
    const rejected = expect.stringMatching(reason)
    expect(await runBundle(text)).toEqual([rejected, rejected])
  })

  it('with node:crypto succeeds', async () => {
    const signed = expect.stringContaining('&sig=')
    expect(await runBundle(text)).toEqual([signed, signed])
  })
})
