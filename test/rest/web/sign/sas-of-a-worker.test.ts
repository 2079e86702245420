import process from 'node:process'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { reported } from '../../../support/bundled.ts'

const program = (make: string) => `
  import { accountSas, SharedKeyCredential, tableSas } from '@rowkey/rest'
  const credential = new SharedKeyCredential({ account: 'contoso', key: 'c2VjcmV0', runsOnServer: true })
  const common = { credential, expiry: new Date(Date.UTC(2026, 11, 1)), permissions: 'r' }
  try {
    report(${make}.token)
  } catch ({ code, message }) {
    report(code + ' ' + message)
  }`

afterEach(() => void vi.restoreAllMocks())

describe('making a shared access signature in a worker', () => {
  const made = [
    "tableSas({ ...common, table: 'people' })",
    "accountSas({ ...common, resourceTypes: 'o' })",
  ]

  it.each(made)(
    'without node:crypto is rejected, with the reason and the alternative: %s',
    async (make) => {
      vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
      expect(await reported(program(make))).toMatch(
        /^UnsupportedOperation .*synchronous HMAC\. Make it on Node/,
      )
    },
  )

  it.each(made)('with node:crypto succeeds: %s', async (make) => {
    expect(await reported(program(make))).toMatch(/&sig=/)
  })
})
