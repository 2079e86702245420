/**
 * What the compiler pays for 50 entities: the same program for Rowkey and for @azure/data-tables, with classes and with
 * schemas. Rowkey's types are the published ones.
 *
 *   npm run build && npm --prefix bench run types          # prints the table
 *   npm --prefix bench run record:types                    # and puts it into the README
 *   npm --prefix bench run types -- --check                # and fails above the limit
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine, median, recordTable, row } from './report.mjs'
import { dataTables, dataTablesSchemas, rowkeyClasses, rowkeySchemas } from './types/programs.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const ENTITIES = 50
/** `--check` fails above it: a ratio, never a time. */
const LIMIT = 1.5

const { values: options } = parseArgs({
  options: {
    record: { type: 'boolean' },
    check: { type: 'boolean' },
    runs: { type: 'string', default: '7' },
  },
})

const folder = mkdtempSync(join(here, '.types-'))
try {
  main()
} finally {
  rmSync(folder, { recursive: true })
}

function main() {
  const pairs = [
    ['classes', rowkeyClasses, dataTables],
    ['schemas', rowkeySchemas, dataTablesSchemas],
  ]
  const compilers = [
    ['TypeScript 6', 'typescript'],
    ['TypeScript 7', '@typescript/native'],
  ]
  const rows = pairs.flatMap(([title, ...programs]) =>
    compilers.map(([name, compiler]) => measure(`${title}, ${name}`, compiler, programs)),
  )
  const head = [
    '',
    'total time',
    'check time',
    'instantiations of rowkey',
    'of @azure/data-tables',
    'ratio',
  ]
  const lines = [row(head), row(['---', ...head.slice(1).map(() => '--:')]), ...rows.map(toRow)]
  const text = `${machine()}, ${ENTITIES} entities, median of ${options.runs} runs\n\n${lines.join('\n')}`
  console.log(text)
  if (options.record) recordTable('record:types', text)
  const over = rows.filter(({ total }) => total > LIMIT)
  for (const { title, total } of over) console.error(`${title}: ${total.toFixed(2)} > ${LIMIT}`)
  if (options.check && over.length > 0) process.exitCode = 1
}

/** Compiles both programs of a pair in turns. */
function measure(title, compiler, [rowkey, peer]) {
  const runs = Array.from({ length: Number(options.runs) }, () => [
    compile(compiler, 'rowkey', rowkey(ENTITIES)),
    compile(compiler, 'peer', peer(ENTITIES)),
  ])
  const ratio = (name) => median(runs.map(([one, other]) => one[name] / other[name]))
  const [[ours, theirs]] = runs
  return {
    title,
    total: ratio('Total time'),
    check: ratio('Check time'),
    instantiations: [ours.Instantiations, theirs.Instantiations],
  }
}

function toRow({ title, total, check, instantiations: [ours, theirs] }) {
  const counts = [ours, theirs].map((count) => count.toLocaleString('en'))
  return row([title, total.toFixed(2), check.toFixed(2), ...counts, (ours / theirs).toFixed(2)])
}

/** Compiles a program and reads the compiler's own numbers. */
function compile(compiler, name, program) {
  const tsconfig = {
    compilerOptions: {
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'esnext.disposable'],
      types: ['node'],
      noEmit: true,
      skipLibCheck: true,
    },
    files: [`${name}.ts`],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  writeFileSync(join(folder, `${name}.ts`), program)
  const tsc = join(here, '../node_modules', compiler, 'bin/tsc')
  const call = [tsc, '-p', folder, '--extendedDiagnostics', '--pretty', 'false']
  const printed = execFileSync(process.execPath, call, { encoding: 'utf8' })
  const lines = printed.matchAll(/^([A-Z][A-Za-z/ ]+): +([\d.]+)s?$/gm)
  return Object.fromEntries([...lines].map(([, title, number]) => [title, Number(number)]))
}
