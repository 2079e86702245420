import { DEVELOPMENT_KEY } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { keyOfAccount, readAccountKeys } from '../../../packages/local/src/account/account.ts'

describe('readAccountKeys', () => {
  it('reads the keys of accounts', () => {
    const keys = readAccountKeys([{ name: 'contoso', key: DEVELOPMENT_KEY }])
    expect(keys.get('contoso')?.toBase64()).toBe(DEVELOPMENT_KEY)
  })

  it.each(['AA==', 'AAA=', 'AAAA', 'AAAAAA=='])('accepts the key %s', (key) => {
    expect(readAccountKeys([{ name: 'contoso', key }]).size).toBe(1)
  })

  it.each(['A', 'AA', 'AAA', 'A===', 'AAAA=', 'AA-_', 'AAAA\n'])('rejects the key %j', (key) => {
    expect(() => readAccountKeys([{ name: 'contoso', key }])).toThrow(
      expect.objectContaining({ code: 'InvalidAccount' }),
    )
  })
})

describe('keyOfAccount', () => {
  it('returns the key of the first account without a name', () => {
    const keys = readAccountKeys([
      { name: 'contoso', key: 'AAAA' },
      { name: 'fabrikam', key: 'BBBB' },
    ])
    expect(keyOfAccount(keys, undefined).name).toBe('contoso')
    expect(keyOfAccount(keys, 'fabrikam').name).toBe('fabrikam')
  })
})
