import { describe, expect, it } from 'vitest'
import { encodeTable, encodeTables } from '../../../packages/local/src/entity/encode-table.ts'

const place = { base: 'http://localhost/contoso', account: 'contoso' }

describe('encodeTable', () => {
  it('encodes only the name without metadata', () => {
    expect(encodeTable('people', { ...place, level: 'nometadata' })).toBe('{"TableName":"people"}')
  })

  it('adds type, id and link in full metadata', () => {
    expect(JSON.parse(encodeTable('people', { ...place, level: 'fullmetadata' }))).toEqual({
      'odata.metadata': 'http://localhost/contoso/$metadata#Tables/@Element',
      'odata.type': 'contoso.Tables',
      'odata.id': "http://localhost/contoso/Tables('people')",
      'odata.editLink': "Tables('people')",
      TableName: 'people',
    })
  })
})

describe('encodeTables', () => {
  it('encodes tables in value', () => {
    expect(encodeTables(['a', 'b'], { ...place, level: 'minimalmetadata' })).toBe(
      '{"odata.metadata":"http://localhost/contoso/$metadata#Tables","value":[{"TableName":"a"},{"TableName":"b"}]}',
    )
  })
})
