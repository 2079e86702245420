/** The class of the fixture's entities for Rowkey. Plain JavaScript applies the decorators by calling them. */
import { Entity, PartitionKey, Property, RowKey } from 'rowkey'
import { POINTS } from '../fixture.mjs'

export class Point {
  partitionKey
  rowKey
  Name
  City
  Count
  Active
  Price
  Score
  Visits
  Created
  Ref
  Blob
}

const types = {
  Name: 'String',
  City: 'String',
  Count: 'Int32',
  Active: 'Boolean',
  Price: 'Double',
  Score: 'Double',
  Visits: 'Int64',
  Created: 'DateTime',
  Ref: 'Guid',
  Blob: 'Binary',
}
PartitionKey()(Point.prototype, 'partitionKey')
RowKey()(Point.prototype, 'rowKey')
for (const [property, type] of Object.entries(types)) Property(type)(Point.prototype, property)
Entity(POINTS)(Point)
