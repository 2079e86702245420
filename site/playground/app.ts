/** The page of the playground: an editor, what the program prints and stores, and what it sends. */
import './app.css'
import { openEditor } from './editor.ts'
import { examples } from './examples.ts'
import { codeIn, fragmentOf } from './link.ts'
import type { Message, Printed, Program, Rows, StoredTable, WireRequest } from './messages.ts'
import type { BlockProgram } from './page-programs.ts'

/** A program that prints, sends and ends nothing for so long is stopped. */
const MOST_SILENCE_MS = 30_000

/** The first program of the tour. */
const FIRST_PROGRAM = '#page=tour&block=0'

/**
 * Opens the playground.
 *
 * @param element - where it is drawn; its content is replaced
 * @param files - the folder of the playground's files, such as `/playground/`
 */
export async function openPlayground(element: HTMLElement, files: string): Promise<void> {
  element.innerHTML = `
    <div class="playground-bar">
      <button type="button" data-run disabled>Run <kbd>Ctrl Enter</kbd></button>
      <button type="button" data-stop disabled>Stop</button>
      <button type="button" data-share>Copy the link</button>
      <select aria-label="Examples" data-examples><option value="">Examples</option></select>
      <output data-state></output>
    </div>
    <div class="playground-editor" data-editor></div>
    <section class="playground-results" aria-label="What the program printed and stored" tabindex="0" data-results></section>
    <section class="playground-wire" aria-label="Requests" tabindex="0">
      <h2>Requests</h2>
      <ol data-requests></ol>
    </section>`
  const find = <Found extends HTMLElement>(name: string): Found => {
    const found = element.querySelector<Found>(`[data-${name}]`)
    if (found === null) throw new Error(`The page has no ${name}.`)
    return found
  }
  const [run, stop, share, state, results, requests] = [
    find<HTMLButtonElement>('run'),
    find<HTMLButtonElement>('stop'),
    find<HTMLButtonElement>('share'),
    find<HTMLOutputElement>('state'),
    find('results'),
    find('requests'),
  ]

  const menu = find<HTMLSelectElement>('examples')
  menu.append(
    ...examples.map(([title, page, block]) => new Option(title, `#page=${page}&block=${block}`)),
  )

  const editor = await openEditor(find('editor'), files, '')
  let worker: Worker | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  const end = (text: string) => {
    clearTimeout(silence)
    worker?.terminate()
    worker = undefined
    stop.disabled = true
    state.value = text
  }
  const watchSilence = () => {
    clearTimeout(silence)
    silence = setTimeout(() => {
      end(`Stopped: nothing happened for ${MOST_SILENCE_MS / 1000} seconds.`)
    }, MOST_SILENCE_MS)
  }
  const start = async () => {
    end('Running …')
    editor.mark(undefined)
    results.replaceChildren()
    requests.replaceChildren()
    stop.disabled = false
    const { code, mappings, mistakes } = await editor.compile()
    for (const text of mistakes) results.append(printed({ kind: 'printed', level: 'warn', text }))
    const started = new Worker(`${files}worker.js`)
    worker = started
    watchSilence()
    started.onmessage = ({ data }: MessageEvent<Message>) => {
      if (worker !== started) return
      watchSilence()
      switch (data.kind) {
        case 'printed':
          return results.append(printed(data))
        case 'request':
          return requests.append(request(data))
        case 'ended':
          if (data.error !== undefined) {
            results.append(printed({ kind: 'printed', level: 'error', text: data.error.text }))
          }
          editor.mark(data.error)
          results.append(...data.tables.map(storedTable))
          return end(data.error === undefined ? 'Ended.' : 'Ended with an error.')
      }
    }
    started.onerror = ({ message }) => {
      results.append(printed({ kind: 'printed', level: 'error', text: message }))
    }
    started.postMessage({ code, mappings } satisfies Program)
  }

  editor.onRun(start)
  run.addEventListener('click', start)
  stop.addEventListener('click', () => end('Stopped.'))
  const keepInAddress = async () => {
    const fragment = await fragmentOf(editor.code)
    history.replaceState(history.state, '', fragment)
  }
  const open = async () => {
    try {
      const code = await programAt(location.hash, files)
      if (code !== editor.code) editor.code = code
      await keepInAddress()
      element.dataset.opened = location.hash
    } catch (error) {
      state.value = (error as Error).message
    }
  }
  await open()
  run.disabled = false
  editor.onChange(() => void keepInAddress())
  share.addEventListener('click', async () => {
    await keepInAddress()
    await navigator.clipboard.writeText(location.href)
    state.value = 'The link is in the clipboard.'
  })
  menu.addEventListener('change', () => {
    if (menu.value !== '') location.hash = menu.value
    menu.value = ''
  })
  addEventListener('hashchange', open)
}

/**
 * Reads the program that a fragment holds or names; without one, the first program of the tour.
 *
 * @throws Error for a fragment that was cut, and for a block that the page lacks
 */
async function programAt(fragment: string, files: string): Promise<string> {
  const code = await codeIn(fragment)
  if (code !== undefined) return code
  const [, page, block] = /^#page=([\w/-]+)&block=(\d+)$/.exec(fragment || FIRST_PROGRAM) ?? []
  const response = page === undefined ? undefined : await fetch(`${files}pages/${page}.json`)
  const programs: readonly BlockProgram[] = response?.ok ? await response.json() : []
  const found = programs[Number(block)]
  if (found === undefined) throw new Error(`No page has the program that "${fragment}" names.`)
  return found.code
}

function printed({ level, text, rows }: Printed): HTMLElement {
  const line = element('pre', text)
  line.className = `playground-${level}`
  if (rows === undefined) return line
  const both = element('div')
  both.append(line, tableOf(rows))
  return both
}

function storedTable(stored: StoredTable): HTMLElement {
  const section = element('section')
  const count = stored.rows.length + stored.more
  const heading = `Table ${stored.name}: ${count} ${count === 1 ? 'row' : 'rows'}`
  section.append(element('h2', heading), tableOf(stored))
  return section
}

function tableOf({ columns, rows, more }: Rows): HTMLElement {
  const table = element('table')
  const head = element('tr')
  for (const name of columns) {
    const types = new Set(rows.flatMap((row) => row[name]?.type ?? []))
    const heading = element('th', name)
    heading.append(element('small', [...types].join(' or ')))
    head.append(heading)
  }
  const lines = rows.map((row) => {
    const line = element('tr')
    for (const name of columns) {
      const cell = row[name]
      const drawn = element('td', cell?.text ?? '')
      if (cell !== undefined) drawn.title = cell.type
      line.append(drawn)
    }
    return line
  })
  const body = element('tbody')
  body.append(...lines)
  const header = element('thead')
  header.append(head)
  table.append(header, body)
  if (more > 0) table.append(element('caption', `${more} more rows are not shown.`))
  return table
}

function request(sent: WireRequest): HTMLElement {
  const item = element('li')
  const details = element('details')
  const summary = element('summary')
  const status = element('span', String(sent.status))
  status.className = sent.status < 400 ? 'playground-good' : 'playground-bad'
  summary.append(element('b', sent.method), ' ', element('code', sent.address), ' ', status)
  if (sent.plan !== undefined) {
    const plan = element('span', sent.plan)
    plan.className = `playground-plan playground-plan-${sent.plan}`
    summary.append(' ', plan)
  }
  details.append(summary)
  if (sent.reasons.length > 0) details.append(element('p', sent.reasons.join(' ')))
  details.append(element('pre', sent.sent), element('pre', sent.received))
  item.append(details)
  return item
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
