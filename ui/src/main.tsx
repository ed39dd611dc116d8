import { render } from "preact";
import { App } from "./app";
import "./styles/base.css";
import "./styles/boards.css";
import "./styles/play.css";

render(<App />, document.getElementById("app")!);
