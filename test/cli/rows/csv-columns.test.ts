import { DynamicEntity, EntityProperty } from 'rowkey'
import { expect, it } from 'vitest'
import { CsvColumns, parseHeading } from '../../../packages/cli/src/rows/csv-columns.ts'
import { csvLine } from '../../../packages/cli/src/rows/csv-line.ts'

const rows = [
  new DynamicEntity('a', '1', { n: 1, text: '' }),
  new DynamicEntity('a', '2', { n: EntityProperty.double(1) }),
]

const linesOf = (dialect: 'csv' | 'explorer-csv') => {
  const columns = new CsvColumns(dialect)
  for (const row of rows) columns.add(row)
  return [columns.headings, ...rows.map((row) => columns.cellsOf(row))].map(csvLine)
}

it('a property with two types has a column for each type', () => {
  expect(linesOf('csv')).toEqual([
    'PartitionKey,RowKey,Timestamp,n:Int32,n:Double,text:String\r\n',
    'a,1,,1,,""\r\n',
    'a,2,,,1.0,\r\n',
  ])
})

it('the CSV of Storage Explorer has the type of each value beside it', () => {
  expect(linesOf('explorer-csv')).toEqual([
    'PartitionKey,RowKey,Timestamp,n,n@type,text,text@type\r\n',
    'a,1,,1,Int32,"",String\r\n',
    'a,2,,1.0,Double,,\r\n',
  ])
})

it('the Timestamp is ISO 8601, and empty for a row that was not stored', () => {
  const stored = new DynamicEntity('a', '1')
  stored.timestamp = new Date('2026-01-02T03:04:05.678Z')
  const cells = [stored, ...rows].map((row) => new CsvColumns('csv').cellsOf(row)[2])
  expect(cells).toEqual(['2026-01-02T03:04:05.678Z', undefined, undefined])
})

it.each([
  ['age', { name: 'age', type: undefined, isOfTypes: false }],
  ['age:Int32', { name: 'age', type: 'Int32', isOfTypes: false }],
  ['age:Edm.Int64', { name: 'age', type: 'Int64', isOfTypes: false }],
  ['age@type', { name: 'age', type: undefined, isOfTypes: true }],
  ['age@odata.type', { name: 'age', type: undefined, isOfTypes: true }],
  ['a:b', { name: 'a:b', type: undefined, isOfTypes: false }],
])('reads the heading %s', (heading, column) => {
  expect(parseHeading(heading)).toEqual(column)
})
