export function AnalysePage() { return <main class="narrow">…</main>; }
