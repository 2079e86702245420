import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { printSignedIdentifiers } from '../../../packages/local/src/access-policy/signed-identifier.ts'

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
