import { describe, expect, it } from 'vitest'
import { readSignedIdentifiers } from '../../../packages/local/src/access-policy/signed-identifier.ts'

const list = (...identifiers: string[]) =>
  `<SignedIdentifiers>${identifiers.join('')}</SignedIdentifiers>`
const one = (id: string, terms = '') =>
  `<SignedIdentifier><Id>${id}</Id><AccessPolicy>${terms}</AccessPolicy></SignedIdentifier>`

describe('readSignedIdentifiers', () => {
  it('R-74: reads the fields of a policy in any order', async () => {
    const terms = '<Permission>rd</Permission><Start>2011-10-11</Start><Expiry>2011-10-12</Expiry>'
    const [policy] = await readSignedIdentifiers(list(one('mine', terms)))
    expect(policy).toMatchObject({ id: 'mine', permissions: 'rd' })
    expect(policy?.start?.toJSON()).toBe('2011-10-11T00:00:00Z')
    expect(policy?.expiry?.toJSON()).toBe('2011-10-12T00:00:00Z')
  })

  it.each([
    one('empty'),
    one('empty', '<Start/><Expiry /><Permission></Permission>'),
    '<SignedIdentifier><Id>empty</Id></SignedIdentifier>',
  ])('R-74: reads a policy without fields from %s', async (identifier) => {
    expect(await readSignedIdentifiers(list(identifier))).toEqual([
      { id: 'empty', start: undefined, expiry: undefined, permissions: undefined },
    ])
  })

  it.each(['', '<SignedIdentifiers/>', '<SignedIdentifiers> </SignedIdentifiers>'])(
    'R-74: reads no policies from %j',
    async (body) => {
      expect(await readSignedIdentifiers(body)).toEqual([])
    },
  )

  it('R-74: accepts five policies, not six', async () => {
    const five = ['1', '2', '3', '4', '5'].map((id) => one(id))
    expect(await readSignedIdentifiers(list(...five))).toHaveLength(5)
    await expect(readSignedIdentifiers(list(...five, one('6')))).rejects.toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidXmlDocument' }),
    )
  })

  it('R-74: accepts an id of 64 characters, not of 65', async () => {
    expect(await readSignedIdentifiers(list(one('i'.repeat(64))))).toHaveLength(1)
    await expect(readSignedIdentifiers(list(one('i'.repeat(65))))).rejects.toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidXmlNodeValue' }),
    )
  })

  it.each([
    '<SignedIdentifier/>',
    list('<SignedIdentifier/>'),
    list('<Other/>'),
    'text',
    '<SignedIdentifiers>text</SignedIdentifiers>',
    list(one('a'), one('a')),
    list(one('a', '<Start>2011-10-11</Start><Start>2011-10-11</Start>')),
    list(one('a', '<Key/>')),
    list(one('a', 'text')),
    list(one('<b/>')),
  ])('rejects %s', async (body) => {
    await expect(readSignedIdentifiers(body)).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidXmlDocument' }),
    )
  })

  it.each([
    one(''),
    one('a', '<Permission>x</Permission>'),
    one('a', '<Permission>rr</Permission>'),
    one('a', '<Permission>dr</Permission>'),
    one('a', '<Start>soon</Start>'),
    one('a', '<Expiry>2011-13-01</Expiry>'),
  ])('rejects the value in %s', async (identifier) => {
    await expect(readSignedIdentifiers(list(identifier))).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidXmlNodeValue' }),
    )
  })
})
