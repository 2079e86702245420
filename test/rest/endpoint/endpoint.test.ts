import { describe, expect, it } from 'vitest'
import { isAccountName } from '../../../packages/rest/src/endpoint/endpoint.ts'

describe('isAccountName', () => {
  it.each(['a', 'contoso', 'devstoreaccount1', 'contoso-cosmos', 'A.b_c', 'a'.repeat(63)])(
    'accepts %s',
    (name) => expect(isAccountName(name)).toBe(true),
  )

  it.each(['', '-a', 'a b', 'a/b', 'a\n', 'ä', 'a'.repeat(64), 7, null, undefined])(
    'rejects %j',
    (name) => expect(isAccountName(name)).toBe(false),
  )
})
