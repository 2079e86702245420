import { Entity, PartitionKey, Property, RowKey } from 'rowkey'

/** A thing in a shop. */
@Entity('items')
export class Item {
  @PartitionKey() shelf = ''
  @RowKey() id = ''
  @Property() name?: string
  @Property('Double') price?: number
  @Property('Int32') stock?: number
}

/** A new item. */
export function item(shelf: string, id: string, price: number, stock: number): Item {
  return Object.assign(new Item(), { shelf, id, name: `${shelf} ${id}`, price, stock })
}
