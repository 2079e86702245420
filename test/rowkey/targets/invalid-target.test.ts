import { InputError, isRowkeyError } from 'rowkey'
import { expect, it } from 'vitest'
import { invalidTarget, unsignedUrl } from '../../../packages/rowkey/src/targets/invalid-target.ts'

it('an invalid target is an InputError that names the target and every way out', () => {
  const error = invalidTarget('file:')
  expect(error).toBeInstanceOf(InputError)
  expect(isRowkeyError(error)).toBe(true)
  expect([error.name, error.code]).toEqual(['InputError', 'InvalidTarget'])
  expect(error.message).toMatch(/file:.*'memory:'.*connection string.*endpoint, credential/)
})

it('a URL without a credential is named by its origin, with every way to authorize', () => {
  const error = unsignedUrl(
    'https://me:secret@contoso.table.core.windows.net/people?sv=1&se=secret',
  )
  expect(error.code).toBe('InvalidTarget')
  expect(error.message).toMatch(
    /^connect\(\) cannot open https:\/\/contoso\.table\.core\.windows\.net, because the URL has no credential\./,
  )
  expect(error.message).toMatch(
    /shared access signature.*AccountKey.*name, key.*DefaultAzureCredential/,
  )
  expect(error.message).not.toMatch(/secret/)
  expect(unsignedUrl('https://').message).toContain('cannot open the URL, because')
})
