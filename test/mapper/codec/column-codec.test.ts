import { modelOf } from '@rowkey/mapper'
import { EDM_TYPES, type EdmType } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  columnCodec,
  declaredForm,
  hasForm,
} from '../../../packages/mapper/src/codec/column-codec.ts'
import { storedMember } from '../../../packages/mapper/src/codec/stored-member.ts'
import { Customer } from '../customer.ts'
import { aColumn } from './a-column.ts'

describe('columnCodec', () => {
  it('has everything ready under the stored name', () => {
    const column = aColumn('Int64')
    expect(column).toMatchObject({ annotation: 'm@odata.type', label: 'Person.member' })
    expect(column.member.plain).toBe('"m":')
    expect(column.member.annotated('Int64')).toBe('"m@odata.type":"Edm.Int64","m":')
  })

  it('knows a member that is computed', () => {
    const model = { ...modelOf(Customer), computed: ['age'] }
    const column = { property: 'age', name: 'age', type: undefined }
    expect(columnCodec(model, column).computed).toBe(true)
    expect(aColumn().computed).toBe(false)
  })
})

const member = storedMember('m')
const has = (type: EdmType, json: unknown, annotation?: string): boolean | undefined => {
  const form = declaredForm(type)
  return form && hasForm(form, member, { m: json, 'm@odata.type': annotation })
}

describe('declaredForm', () => {
  it('knows every type but Int32, which a look at the kind of JSON does not tell', () => {
    const known = EDM_TYPES.filter((type) => declaredForm(type) !== undefined)
    expect(known).toEqual(EDM_TYPES.filter((type) => type !== 'Int32'))
  })
})

describe('hasForm', () => {
  it.each([
    ['Int64', '5', 'Edm.Int64'],
    ['DateTime', '2026-11-20T00:00:00Z', 'Edm.DateTime'],
    ['Guid', 'c9da6455-213d-42c9-9a79-3e9149a57833', 'Edm.Guid'],
    ['Binary', 'AQI=', 'Edm.Binary'],
    ['String', 'a', undefined],
    ['String', 'a', 'Edm.String'],
    ['Boolean', true, undefined],
    ['Double', 0.5, undefined],
    ['Double', 3, 'Edm.Double'],
  ] as const)('tells a %s by %j with the type %s', (type, json, annotation) => {
    expect(has(type, json, annotation)).toBe(true)
  })

  it.each([
    ['Int64', '5', undefined],
    ['Guid', 'c9da6455-213d-42c9-9a79-3e9149a57833', undefined],
    ['String', 'c9da6455-213d-42c9-9a79-3e9149a57833', 'Edm.Guid'],
    ['String', 'a', 'Edm.Unknown'],
    ['Double', 'NaN', 'Edm.Double'],
    ['String', undefined, undefined],
    ['Boolean', null, undefined],
    ['Binary', {}, 'Edm.Binary'],
  ] as const)('takes no %s from %j with the type %s', (type, json, annotation) => {
    expect(has(type, json, annotation)).toBe(false)
  })
})
