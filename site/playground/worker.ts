/** Runs one program in a worker of its own, so that the page can end it, whatever it does. */
import { init, parse } from 'es-module-lexer'
import { formatWithOptions, inspect } from 'node-inspect-extracted'
import { provideEmbedded } from '../../packages/rowkey/src/targets/embedded-package.ts'
import type { Message, Printed, Program } from './messages.ts'
import { modules } from './modules.ts'
import { type ShownError, withProgramLines } from './program-lines.ts'
import { rowsOf } from './rows.ts'
import { watchServices } from './wire.ts'

// The program called the packages, so its own frame is far below.
Error.stackTraceLimit = 100

const show = (message: Message) => postMessage(message)
const services = watchServices(show)
provideEmbedded({ localTableService: services.start })
const watched: typeof modules = {
  ...modules,
  '@rowkey/local': { ...modules['@rowkey/local'], localTableService: services.start },
}

for (const [level, ...methods] of [
  ['log', 'debug', 'info', 'table', 'dir'],
  ['warn', 'trace'],
  ['error', 'assert'],
] as const) {
  for (const method of [level, ...methods]) console[method] = printer(level)
}

addEventListener('message', async ({ data }: MessageEvent<Program>) => {
  const error = await run(data)
  const tables = await services.tables()
  show({ kind: 'ended', ...(error !== undefined && { error }), tables })
})

function printer(level: Printed['level']) {
  return (...values: readonly unknown[]) => {
    const rows = values.map(rowsOf).find((found) => found !== undefined)
    const text = formatWithOptions({ depth: 4 }, ...values)
    show({ kind: 'printed', level, text, ...(rows && { rows }) })
  }
}

/** Runs a module of its own, so that `import` and `await` stand at the top as in a file. Returns what it threw. */
async function run({ code, mappings }: Program): Promise<ShownError | undefined> {
  await init
  let module: string | undefined
  try {
    module = moduleUrl(linked(code))
    await import(module)
    return undefined
  } catch (thrown) {
    return withProgramLines(inspect(thrown, { depth: 3 }), module, mappings)
  }
}

/** Replaces what a program imports by the modules of this worker. */
function linked(code: string): string {
  let text = ''
  let end = 0
  for (const { n: name, s, e, d } of parse(code)[0]) {
    if (d === -2) continue // import.meta
    if (name === undefined) throw new Error('import() takes a literal here.')
    const quoted = d > -1
    text += code.slice(end, s) + (quoted ? `'${urlOf(name)}'` : urlOf(name))
    end = e
  }
  return text + code.slice(end)
}

const urls = new Map<string, string>()

function urlOf(name: string): string {
  const found = urls.get(name)
  if (found !== undefined) return found
  const module = watched[name]
  if (module === undefined) {
    const known = Object.keys(watched).join(', ')
    throw new Error(`The playground has no module "${name}". Import one of these: ${known}.`)
  }
  // Names such as `catch` of zod can be exported, but not declared.
  const names = Object.keys(module)
  const url = moduleUrl(`const module = globalThis[Symbol.for('playground')]['${name}']
    const [${names.map((_, at) => `v${at}`)}] = ${JSON.stringify(names)}.map((name) => module[name])
    export { ${names.map((exported, at) => `v${at} as ${exported}`)} }`)
  urls.set(name, url)
  return url
}

Object.assign(globalThis, { [Symbol.for('playground')]: watched })

function moduleUrl(code: string): string {
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
}
