import process from 'node:process'
import { endpointOf, type HttpRequest, SharedKeyCredential as NodeCredential } from '@rowkey/rest'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { SharedKeyCredential } from '../../../../packages/rest/src/web/sign/shared-key-credential.ts'
import { bundled, runBundle } from '../../../support/bundled.ts'

const key = 'bm90IGEgcmVhbCBrZXk='
const secondKey = 'YW5vdGhlciBrZXk='
const endpoint = endpointOf('https://contoso.table.core.windows.net')
const request: HttpRequest = {
  method: 'GET',
  origin: endpoint.origin,
  path: '/people()',
  query: '$top=1',
  headers: { accept: 'application/json' },
  body: undefined,
}
const now = Date.UTC(2026, 10, 22)

describe('an account key in a page or a worker', () => {
  it.each([undefined, false])('is rejected with runsOnServer: %s', (runsOnServer) => {
    expect(() => new SharedKeyCredential({ account: 'contoso', key, runsOnServer })).toThrow(
      expect.objectContaining({
        code: 'InvalidCredential',
        message: expect.stringMatching(/SasCredential.*BearerCredential.*runsOnServer: true/),
      }),
    )
  })

  it('is checked as on Node', () => {
    const options = { account: 'contoso', key: 'no key', runsOnServer: true }
    expect(() => new SharedKeyCredential(options)).toThrow(/not base64/)
    expect(() => new SharedKeyCredential({ ...options, key, account: '-' })).toThrow(/account name/)
  })
})

describe('with runsOnServer: true', () => {
  it.each(['SharedKey', 'SharedKeyLite'] as const)('signs as Node does: %s', async (scheme) => {
    const options = { account: 'contoso', key, scheme, runsOnServer: true }
    const signed = await new SharedKeyCredential(options).authorize(request, endpoint, now)
    expect(signed).toEqual(new NodeCredential(options).authorize(request, endpoint, now))
  })

  it('signs with the new key after rotate', async () => {
    const credential = new SharedKeyCredential({ account: 'contoso', key, runsOnServer: true })
    credential.rotate(secondKey)
    const other = new NodeCredential({ account: 'contoso', key: secondKey })
    const signed = await credential.authorize(request, endpoint, now)
    expect(signed).toEqual(other.authorize(request, endpoint, now))
  })

  it('signs a text as Node does, where the runtime has node:crypto', () => {
    const options = { account: 'contoso', key, runsOnServer: true }
    const credential = new SharedKeyCredential(options)
    expect(credential.sign('text')).toBe(new NodeCredential(options).sign('text'))
    credential.rotate(secondKey)
    const other = new NodeCredential({ account: 'contoso', key: secondKey })
    expect(credential.sign('ä')).toBe(other.sign('ä'))
  })

  it.each([undefined, {}, { getBuiltinModule: () => undefined }])(
    'says what a shared access signature needs where process is %j',
    (process) => {
      const credential = new SharedKeyCredential({ account: 'contoso', key, runsOnServer: true })
      vi.stubGlobal('process', process)
      onTestFinished(() => void vi.unstubAllGlobals())
      expect(() => credential.sign('text')).toThrow(
        expect.objectContaining({
          code: 'UnsupportedOperation',
          message: expect.stringMatching(/on Node.*nodejs_compat/),
        }),
      )
    },
  )

  it('does not show the key', () => {
    const credential = new SharedKeyCredential({ account: 'contoso', key, runsOnServer: true })
    expect(JSON.stringify(credential)).not.toContain(key)
  })
})

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
