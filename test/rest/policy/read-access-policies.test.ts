import { printDateTime } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { readAccessPolicies } from '../../../packages/rest/src/policy/read-access-policies.ts'

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

  it('reads none', async () => {
    expect(await readAccessPolicies(declared('<SignedIdentifiers />'))).toEqual([])
  })

  it('reads a policy without rules, which comes back as its id', async () => {
    const body = declared(identifier('<Id>empty</Id>'))
    expect(await readAccessPolicies(body)).toEqual([{ id: 'empty' }])
  })

  it.each([
    '<Id />',
    '<AccessPolicy />',
    '<Id>a</Id><AccessPolicy><Expiry>soon</Expiry></AccessPolicy>',
  ])('takes %s for no policy', async (content) => {
    await expect(readAccessPolicies(declared(identifier(content)))).rejects.toThrow(
      expect.objectContaining({ code: 'UnexpectedAnswer' }),
    )
  })
})
