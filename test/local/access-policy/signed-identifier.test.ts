import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  isTablePermissions,
  parsePolicyTime,
  printPolicyTime,
  printSignedIdentifiers,
  readSignedIdentifiers,
} from '../../../packages/local/src/access-policy/signed-identifier.ts'

const settled = (text: string) => {
  const time = parsePolicyTime(text)
  return time && printPolicyTime(time)
}

describe('policy times', () => {
  it.each([
    ['2011-10-11', '2011-10-11T00:00:00.0000000Z'],
    ['2011-10-11T12:34Z', '2011-10-11T12:34:00.0000000Z'],
    ['2011-10-11T12:34:56Z', '2011-10-11T12:34:56.0000000Z'],
    ['2011-10-11T12:34:56.7Z', '2011-10-11T12:34:56.7000000Z'],
    ['2011-10-11T12:34:56.1234567Z', '2011-10-11T12:34:56.1234567Z'],
  ])('R-74: parse %s as %s', (text, expected) => {
    expect(settled(text)).toBe(expected)
  })

  it.each([
    '',
    'tomorrow',
    '2011-10-32',
    '2011-02-29',
    '2011-10-11T12:34',
    '2011-10-11T12:34:56',
    '2011-10-11T12:34:56+01:00',
    '2011-10-11T12:34:56.12345678Z',
    '1600-01-01',
  ])('reject %j', (text) => {
    expect(parsePolicyTime(text)).toBeUndefined()
  })

  it('keep ticks beyond the millisecond', () => {
    expect(printPolicyTime(new DateTimeValue(0, 42))).toBe('1970-01-01T00:00:00.0000042Z')
  })
})

const START = '\ufeff<?xml version="1.0" encoding="utf-8"?>'
const nothing = { start: undefined, expiry: undefined, permissions: undefined }

describe('printSignedIdentifiers', () => {
  it('R-74: prints the fields of a policy in order', () => {
    const start = DateTimeValue.parse('2011-10-11')
    const expiry = DateTimeValue.parse('2011-10-12')
    expect(printSignedIdentifiers([{ id: 'testid', start, expiry, permissions: 'r' }])).toBe(
      `${START}<SignedIdentifiers><SignedIdentifier><Id>testid</Id><AccessPolicy><Start>2011-10-11T00:00:00.0000000Z</Start><Expiry>2011-10-12T00:00:00.0000000Z</Expiry><Permission>r</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>`,
    )
  })

  it('R-74: leaves out absent fields', () => {
    expect(printSignedIdentifiers([{ id: 'empty', ...nothing }])).toBe(
      `${START}<SignedIdentifiers><SignedIdentifier><Id>empty</Id></SignedIdentifier></SignedIdentifiers>`,
    )
    expect(printSignedIdentifiers([])).toBe(`${START}<SignedIdentifiers />`)
  })

  it('escapes an id', () => {
    expect(printSignedIdentifiers([{ id: '<&>', ...nothing }])).toContain('<Id>&lt;&amp;&gt;</Id>')
  })
})

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

describe('isTablePermissions', () => {
  it.each(['r', 'raud', 'au', 'd'])('R-70: accepts %s', (text) => {
    expect(isTablePermissions(text)).toBe(true)
  })

  it.each(['', 'ar', 'rr', 'rw', 'r ', 'R', 'raudr'])('R-70: rejects %j', (text) => {
    expect(isTablePermissions(text)).toBe(false)
  })
})
