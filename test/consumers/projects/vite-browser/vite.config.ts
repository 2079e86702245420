import { rowkey } from 'rowkey/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [rowkey()],
  build: {
    outDir: 'out',
    lib: { entry: 'bundle.ts', formats: ['es'], fileName: 'main' },
  },
})
