import { describe, expect, it } from 'vitest'
import {
  encodeTable,
  encodeTables,
  printEntityPath,
  printTablePath,
} from '../../../packages/local/src/entity/encode-table.ts'

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

describe('printEntityPath', () => {
  it('encodes keys as the service was recorded to', () => {
    const key = { partitionKey: "a-ô-'-%20", rowKey: 'x' }
    expect(printEntityPath('people', key)).toBe(
      "people(PartitionKey='a-%C3%B4-''-%2520',RowKey='x')",
    )
  })
})

describe('printTablePath', () => {
  it('R-177: encodes what a header cannot contain', () => {
    expect(printTablePath("表's 1")).toBe("Tables('%E8%A1%A8''s%201')")
    expect(printEntityPath("表's(1)", { partitionKey: '画', rowKey: '(1)' })).toBe(
      "%E8%A1%A8''s%281%29(PartitionKey='%E7%94%BB',RowKey='(1)')",
    )
  })

  it('prints the address of the table', () => {
    expect(printTablePath('people')).toBe("Tables('people')")
  })
})
