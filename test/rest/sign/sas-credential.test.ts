import { inspect } from 'node:util'
import { SasCredential } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, read } from '../people.ts'

const token = 'sv=2019-02-02&tn=people&sp=r&sig=c2VjcmV0%3D'

describe('SasCredential', () => {
  it('R-65: puts the token at the end of the query and signs nothing', () => {
    const credential = new SasCredential(token)
    expect(credential.authorize(read, contoso, 0)).toEqual({ ...read, query: token })
    const query = { ...read, query: '$top=1' }
    expect(credential.authorize(query, contoso, 0).query).toBe(`$top=1&${token}`)
  })

  it('takes a leading question mark off', () => {
    expect(new SasCredential(`?${token}`).authorize(read, contoso, 0).query).toBe(token)
  })

  it('never shows the token', () => {
    const credential = new SasCredential(token)
    const shown = inspect(credential, { showHidden: true }) + JSON.stringify(credential)
    expect(shown).not.toContain('c2VjcmV0')
  })

  it.each(['', '?', 'sv=2019-02-02', 'sig=c2VjcmV0', `${token} x`, `${token}\r\nx: y`, 7, null])(
    'refuses %j, without showing it',
    (text) => {
      const make = () => new SasCredential(text as string)
      expect(make).toThrow(expect.objectContaining({ code: 'InvalidCredential' }))
      expect(make).not.toThrow(/c2VjcmV0/)
    },
  )
})
