import { Entity, PartitionKey, Property, RowKey } from 'rowkey'

/** A player. The rows have other properties, which the class does not declare. */
@Entity('gamers')
export class Gamer {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
  @Property('Int32') Score = 0
}
