import { Entity, PartitionKey, Property, RowKey } from 'rowkey'

/** A note of a user: the notes of one user are one partition. */
@Entity('notes')
export class Note {
  @PartitionKey() user!: string
  @RowKey() id!: string
  @Property('String') text?: string
}
