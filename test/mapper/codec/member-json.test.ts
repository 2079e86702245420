import { memberText } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { memberJson } from '../../../packages/mapper/src/codec/member-json.ts'

describe('memberJson', () => {
  const member = memberText('x')

  it('says the type where the JSON alone does not', () => {
    expect(memberJson(member, 'Int64', 5n)).toBe(',"x@odata.type":"Edm.Int64","x":"5"')
    expect(memberJson(member, 'Double', 5)).toBe(',"x@odata.type":"Edm.Double","x":5.0')
  })

  it('leaves the type out where the JSON shows it', () => {
    expect(memberJson(member, 'Int32', 5)).toBe(',"x":5')
    expect(memberJson(member, 'String', 'a"b')).toBe(',"x":"a\\"b"')
  })
})
