import { parseDateTime, printDateTime } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  readAccessPolicies,
  writeAccessPolicies,
} from '../../../packages/rest/src/access-policy/access-policy-xml.ts'

const declared = (xml: string) => `\ufeff<?xml version="1.0" encoding="utf-8"?>${xml}`
const identifier = (content: string) =>
  `<SignedIdentifiers><SignedIdentifier>${content}</SignedIdentifier></SignedIdentifiers>`

describe('readAccessPolicies', () => {
  it('reads a policy as the service writes it', async () => {
    const body = declared(
      identifier(
        '<Id>testid</Id><AccessPolicy><Start>2011-10-11T00:00:00.0000000Z</Start><Expiry>2011-10-12T00:00:00.0000001Z</Expiry><Permission>r</Permission></AccessPolicy>',
      ),
    )
    const [policy] = await readAccessPolicies(body)
    expect(policy).toMatchObject({
      id: 'testid',
      start: new Date('2011-10-11T00:00:00Z'),
      permissions: 'r',
    })
    expect(policy?.expiry && printDateTime(policy.expiry)).toBe('2011-10-12T00:00:00.0000001Z')
  })

  it('reads an empty list', async () => {
    expect(await readAccessPolicies(declared('<SignedIdentifiers />'))).toEqual([])
  })

  it('reads a policy with only an id', async () => {
    const body = declared(identifier('<Id>empty</Id>'))
    expect(await readAccessPolicies(body)).toEqual([{ id: 'empty' }])
  })

  it.each([
    '<Id />',
    '<AccessPolicy />',
    '<Id>a</Id><AccessPolicy><Expiry>soon</Expiry></AccessPolicy>',
  ])('rejects %s', async (content) => {
    await expect(readAccessPolicies(declared(identifier(content)))).rejects.toThrow(
      expect.objectContaining({ code: 'UnexpectedResponse' }),
    )
  })
})

describe('writeAccessPolicies', () => {
  it('R-74: writes id, start, expiry and permissions', () => {
    const policy = {
      id: 'testid',
      start: new Date('2011-10-11T00:00:00Z'),
      expiry: new Date('2011-10-12T00:00:00Z'),
      permissions: 'r',
    }
    expect(writeAccessPolicies([policy])).toBe(
      '<?xml version="1.0" encoding="utf-8"?><SignedIdentifiers><SignedIdentifier><Id>testid</Id>' +
        '<AccessPolicy><Start>2011-10-11T00:00:00Z</Start><Expiry>2011-10-12T00:00:00Z</Expiry>' +
        '<Permission>r</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>',
    )
  })

  it('R-74: writes an empty document without policies, which removes all', () => {
    expect(writeAccessPolicies([])).toMatch(/<SignedIdentifiers\/>$/)
  })

  it('writes the letters in the order of the service', () => {
    expect(writeAccessPolicies([{ id: 'a', permissions: 'dura' }])).toContain(
      '<Permission>raud</Permission>',
    )
  })

  it('keeps unknown letters when only the service checks', () => {
    expect(writeAccessPolicies([{ id: 'a', permissions: 'dxr' }])).toContain(
      '<Permission>xrd</Permission>',
    )
  })

  it('writes what reads back as the same', async () => {
    const policies = [
      { id: '<a> & "b"', permissions: 'raud' },
      { id: ' ü ', expiry: parseDateTime('2026-11-20T11:49:20.1234567Z') },
    ]
    expect(await readAccessPolicies(writeAccessPolicies(policies))).toEqual(policies)
  })
})
