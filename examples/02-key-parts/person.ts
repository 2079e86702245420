import { Entity, key, Property } from 'rowkey'

/** A person, in the partition of a state and city, ordered by badge. */
@Entity({ partitionKey: key`${'state'};${'city'}`, rowKey: key`${'badge:5'}` })
export class Person {
  state = ''
  city = ''
  badge = 0
  @Property() name!: string
}

/** Makes a person. */
export function person(state: string, city: string, badge: number, name: string): Person {
  return Object.assign(new Person(), { state, city, badge, name })
}
