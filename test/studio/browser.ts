import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** An installed browser is used first; the one that npm brings lacks fonts. */
const INSTALLED = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser'].find(
  existsSync,
)

/** Those of the package turn off what the tests watch. */
const args = chromium.args.filter((arg) => !/web-security|insecure-content/.test(arg))

/** Starts a browser. */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: INSTALLED ?? (await chromium.executablePath()),
    args: INSTALLED ? ['--no-sandbox'] : args,
    headless: true,
  })
}
