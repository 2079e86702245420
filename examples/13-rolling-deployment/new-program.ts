import { connect, upgradeTable } from 'rowkey'
import { Person2 } from './people.ts'
import type { Steps } from './serve-steps.ts'

/** The new program: it starts while the old one still runs. */
export function newProgram(): Steps {
  const { TABLES = '', TABLE } = process.env
  const people = connect(TABLES).table(Person2, TABLE)
  const ann = ['red', '1'] as const
  const ben = ['red', '2'] as const
  return {
    async name() {
      await people.modify(ann, (person) => {
        person.nick = 'Annie'
      })
      await people.modify(ben, (person) => {
        person.nick = 'Benny'
      })
      return 'gave Ann and Ben nicknames'
    },
    async read() {
      const { fullName, nick } = await people.get(ann)
      return `reads ${fullName}, called ${nick}`
    },
    async upgrade() {
      const { read, upgraded } = await upgradeTable(people)
      await people.drop()
      return `upgraded ${upgraded} of ${read}`
    },
  }
}
