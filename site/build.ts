/**
 * Builds the site into site/dist, for a folder of a host and a version:
 * `npm run site -- --base /rowkey/0.1/ --version 0.1 --ref v0.1.0 --repository <url>`.
 */
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs, promisify } from 'node:util'

const site = import.meta.dirname

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    version: { type: 'string' },
    ref: { type: 'string' },
    repository: { type: 'string' },
  },
})
for (const [name, value] of Object.entries(values)) {
  process.env[`SITE_${name.toUpperCase()}`] = value
}

installOnce()
const { base, sourceOf } = await import('./.vitepress/edition.ts')
const { typesFingerprint } = await import('./.vitepress/hover-types.ts')
const { writeAssistantTexts } = await import('./assistant-texts.ts')
const { brokenLinks } = await import('./check-links.ts')
const { linkSources } = await import('./link-sources.ts')
const { writeReference } = await import('./reference.ts')
const { build } = await import('vitepress')

const dist = join(site, 'dist')
const typedoc = typedocPages()
writeReference()
await build(site)
const { buildPlayground } = await import('./playground/build.ts')
await buildPlayground()
cpSync(await typedoc, join(dist, 'reference/api'), { recursive: true })
writeAssistantTexts(dist, base)
const broken = brokenLinks(dist, base)
if (broken.length > 0) {
  console.error(`${broken.length} broken links:\n${broken.slice(0, 50).join('\n')}`)
  process.exit(1)
}

/** Installs what the site needs, unless node_modules has it. */
function installOnce(): void {
  const installed = join(site, 'node_modules/.package-lock.json')
  const wanted = join(site, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return
  execFileSync('npm', ['ci', '--prefix', site, '--no-audit', '--no-fund'], { stdio: 'inherit' })
}

/** Writes a page for each public name, beside the other work, unless they are there for the same types; returns their folder. */
async function typedocPages(): Promise<string> {
  const edition = [
    typesFingerprint(),
    statSync(join(site, 'typedoc.css')).mtimeMs,
    process.env.SITE_BASE,
    sourceOf(''),
  ]
  const name = createHash('sha256').update(edition.join()).digest('hex').slice(0, 16)
  const folder = join(site, '.vitepress/cache/reference', name)
  if (existsSync(folder)) return folder
  const command = join(site, '../node_modules/typedoc/bin/typedoc')
  const unfinished = `${folder}.unfinished`
  const options = ['--options', join(site, 'typedoc.config.mjs'), '--out', unfinished]
  try {
    await promisify(execFile)(process.execPath, [command, ...options])
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    console.error(`typedoc failed:\n${stdout}${stderr}`)
    process.exit(1)
  }
  linkSources(unfinished)
  renameSync(unfinished, folder)
  return folder
}
