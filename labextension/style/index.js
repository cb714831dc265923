import './base.css';
import './language.css';
