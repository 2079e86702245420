import { edmCodecs, memberText, writeMember } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('memberText', () => {
  it('holds what stands before a value', () => {
    expect(memberText('points').plain).toBe('"points":')
    expect(memberText('points').annotated('Int64')).toBe(
      '"points@odata.type":"Edm.Int64","points":',
    )
  })

  it('escapes what JSON must escape', () => {
    expect(memberText('a"b').plain).toBe('"a\\"b":')
  })
})

describe('writeMember', () => {
  it('R-21: annotates where JSON alone does not show the type', () => {
    const text = memberText('p')
    expect(writeMember(text, edmCodecs.Int64, 5n)).toBe('"p@odata.type":"Edm.Int64","p":"5"')
    expect(writeMember(text, edmCodecs.Double, 3)).toBe('"p@odata.type":"Edm.Double","p":3.0')
    expect(writeMember(text, edmCodecs.Double, 3.5)).toBe('"p":3.5')
    expect(writeMember(text, edmCodecs.String, 'a')).toBe('"p":"a"')
    expect(writeMember(text, edmCodecs.Int32, 3)).toBe('"p":3')
  })
})
