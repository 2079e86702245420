import { connect, SasProviderCredential } from 'rowkey'
import { Note } from './note.ts'

// The page never has the account key: its server gives it a signature for the rows of its user, and a new one in time.
const { endpoint, user }: { endpoint: string; user: string } = await fetchJson('/account')
const provide = async () => (await fetch('/signature', { method: 'POST' })).text()
const notes = connect({ endpoint, credential: new SasProviderCredential({ provide }) }).table(Note)

const list = element('ul')
element('form').addEventListener('submit', (event) => {
  event.preventDefault()
  void showing(add)
})
await showing(async () => {})

async function add(): Promise<void> {
  const input = element<HTMLInputElement>('input')
  await notes.insert({ user, id: crypto.randomUUID(), text: input.value })
  input.value = ''
}

/** Shows all notes after a change, or why it failed. */
async function showing(change: () => Promise<void>): Promise<void> {
  try {
    await change()
    const items = (await notes.query().where({ user }).toArray()).map(({ text = '' }) => {
      return Object.assign(document.createElement('li'), { textContent: text })
    })
    list.replaceChildren(...items)
    element('output').textContent = `${items.length} notes`
  } catch (error) {
    element('output').textContent = String(error)
  }
}

function element<Kind extends HTMLElement>(name: string): Kind {
  const found = document.querySelector<Kind>(name)
  if (found === null) throw new Error(`The page has no ${name}.`)
  return found
}

async function fetchJson(path: string) {
  return (await fetch(path)).json()
}
