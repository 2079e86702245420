import { Entity, PartitionKey, Property, RowKey } from 'rowkey'

/** A player's score in one game. The rows have other properties, which the class does not declare. */
@Entity('gamers')
export class Gamer {
  @PartitionKey() game = ''
  @RowKey() name = ''
  @Property('Int64') score = 0n

  win(points: number): void {
    this.score += BigInt(points)
  }
}
