import { Entity, PartitionKey, Property, RowKey } from 'rowkey'

/** A player's score in one game. What else a row holds, the class does not know. */
@Entity('gamers')
export class Gamer {
  @PartitionKey() game = ''
  @RowKey() name = ''
  @Property('Int64') score = 0n

  win(points: number): void {
    this.score += BigInt(points)
  }
}
